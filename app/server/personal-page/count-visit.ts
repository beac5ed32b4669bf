import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Answer } from '../http/answer.ts'
import type { Counts, Visit, Visitor } from '../statistics/counts.ts'

/** Counts a page or a file that goes out, once: `file` is empty for the page. The count is the day's, about nobody. */
export function countVisit(request: IncomingMessage, file: string, answer: Answer, counts: Counts): void {
  if (request.method !== 'GET' || !isFromItsStart(answer)) return
  counts.countVisit(visitOf(file), visitorOf(request.headers, file))
}

/** Not what the client has already (304), nor the rest of a download that broke off. */
function isFromItsStart({ status, headers }: Answer): boolean {
  return status === 200 || (status === 206 && headers['content-range']?.startsWith('bytes 0-') === true)
}

function visitOf(file: string): Visit {
  if (file === '') return 'page-opened'
  return file.endsWith('.pdf') ? 'guide-downloaded' : 'script-downloaded'
}

/**
 * A person is who a browser says pressed. As Chromium 156 was seen to send it: a press on a link of a mail or of a page,
 * to a page or a file, with `Sec-Fetch-User: ?1`; a press on `<a download>` without it, as `Sec-Fetch-Site: same-origin`.
 * Safari never sends the first (webkit.org/b/247697), so what a browser goes to (`navigate`) counts as well. Fetching
 * ahead (`Sec-Purpose`) does not. Programs, and most scanners of mail, send none of these.
 */
function visitorOf(headers: IncomingHttpHeaders, file: string): Visitor {
  const isPressed =
    headers['sec-fetch-user'] === '?1' ||
    headers['sec-fetch-mode'] === 'navigate' ||
    (file !== '' && headers['sec-fetch-site'] === 'same-origin')
  return isPressed && headers['sec-purpose'] === undefined ? 'person' : 'machine'
}
