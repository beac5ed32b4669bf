import { generateKeyPairSync, sign } from 'node:crypto'

/** For this machine by the names given, for a day; known to no authority. Both as PEM. */
export function selfSignedCertificate({ names = ['localhost'], addresses = ['127.0.0.1'] } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = sequence(set(sequence(oid('550403'), der(0x0c, Buffer.from('A test')))))
  const alternatives = [
    ...names.map((name) => der(0x82, Buffer.from(name))),
    ...addresses.map((address) => der(0x87, Buffer.from(address.split('.').map(Number)))),
  ]
  const toBeSigned = sequence(
    der(0xa0, integer(2)), // version 3
    integer(1),
    ecdsaWithSha256,
    issuer,
    sequence(time(-1), time(1)),
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid('551d11'), der(0x04, sequence(...alternatives))))),
  )
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', toBeSigned, privateKey)]))
  const certificate = sequence(toBeSigned, ecdsaWithSha256, signature).toString('base64')
  const lines = certificate.match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  }
}

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))

/** Tag, length, value: X.690. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  const size = value.length < 0x80 ? [value.length] : [0x82, value.length >> 8, value.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), value])
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts)
}

function set(...parts: Buffer[]): Buffer {
  return der(0x31, ...parts)
}

function oid(hexadecimal: string): Buffer {
  return der(0x06, Buffer.from(hexadecimal, 'hex'))
}

function integer(small: number): Buffer {
  return der(0x02, Buffer.from([small]))
}

function time(days: number): Buffer {
  const at = new Date(Date.now() + days * 86_400_000).toISOString()
  return der(0x17, Buffer.from(`${at.slice(2, 19).replaceAll(/\D/g, '')}Z`))
}
