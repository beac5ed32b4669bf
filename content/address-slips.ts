/**
 * Mail domains, each with the slips of fingers that most likely mean it. Exact matches only: a domain that is not
 * listed is never doubted, and none of these is the domain of a mail service of its own that we know of.
 */
const slipsByDomain = {
  'gmail.com':
    'gmial.com gmai.com gmal.com gamil.com gnail.com gmaill.com gmaik.com gmail.co gmail.cm gmail.con gmail.comm gmail.cmo gmail.ocm',
  'googlemail.com': 'googlemial.com googlemail.con',
  'hotmail.com':
    'hotnail.com hotmial.com hotmal.com hotmai.com hotmali.com hotamil.com hormail.com hotmaill.com hotmail.co hotmail.con hotmail.cm',
  'outlook.com': 'outlok.com outllok.com outlool.com outloook.com oulook.com outlook.con outlook.co',
  'yahoo.com': 'yaho.com yahooo.com yhaoo.com yaoo.com yahoo.con yahoo.cm',
  'icloud.com': 'iclod.com icoud.com icluod.com icloud.con icloud.co',
  'protonmail.com': 'protonmial.com protonmail.con',
  'proton.me': 'proton.em',
  'gmx.com': 'gmx.con',
  'web.de': 'web.ed',
}

/** The domain meant, by the slip. */
export const addressSlips: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(slipsByDomain).flatMap(([meant, slips]) => slips.split(' ').map((slip) => [slip, meant])),
)
