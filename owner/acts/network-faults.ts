/** The faults of a network: codes of Node, and what they mean, said of a host that was named. */
export const networkFaults = {
  late: { codes: /^ETIMEDOUT/, words: 'it did not answer in time' },
  unreachable: { codes: /^ECONNREFUSED|^E\w*UNREACH/, words: 'it cannot be reached' },
  unknownName: { codes: /^ENOTFOUND|^EAI|^EDNS/, words: 'its name is not known' },
  broken: { codes: /^ECONN|^ESOCKET|^EPIPE/, words: 'the connection broke' },
  certificate: {
    codes: /^\w*(?:CERT|SELF_SIGNED|LEAF_SIGNATURE)\w*$/,
    words: 'its certificate cannot be verified',
  },
  encryption: { codes: /^E\w*(?:TLS|SSL)|^EPROTO/, words: 'the connection could not be encrypted' },
}

/**
 * Says what a code of the network means, after the name of a host and a colon: `ECONNREFUSED` is
 * `it cannot be reached (ECONNREFUSED)`. Undefined: it is no such code.
 */
export function explainNetworkFault(code: string): string | undefined {
  // The first that matches counts.
  const found = Object.values(networkFaults).find(({ codes }) => codes.test(code))
  return found && `${found.words} (${code})`
}
