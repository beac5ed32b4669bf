import { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
// oxlint-disable-next-line import/no-unassigned-import -- @peculiar/x509 needs it, and before itself
import 'reflect-metadata'
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const dayMs = 24 * 60 * 60_000

/**
 * Makes a self-signed certificate for one server and one day, or until `notAfter`. Returns key and
 * certificate as PEM.
 */
export async function selfSignedCertificate(
  server = '127.0.0.1',
  notAfter = new Date(Date.now() + dayMs),
) {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=A test',
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(notAfter.getTime() - 2 * dayMs),
    notAfter,
    extensions: [
      new SubjectAlternativeNameExtension([{ type: isIP(server) ? 'ip' : 'dns', value: server }]),
    ],
  })
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })
  return { key, cert: certificate.toString('pem') }
}
