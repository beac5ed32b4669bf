import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Answer } from '../http/answer.ts'
import type { Counts, Visit, Visitor } from '../statistics/counts.ts'

/** Counts a page or a file that is sent, once. `file` is empty for the page. The counts are totals of a day. */
export function countVisit(request: IncomingMessage, file: string, answer: Answer, counts: Counts): void {
  if (request.method !== 'GET' || !isFromItsStart(answer)) return
  counts.countVisit(visitOf(file), visitorOf(request.headers, file))
}

/** False for what the client has already (304), and for the rest of a broken download. */
function isFromItsStart({ status, headers }: Answer): boolean {
  return status === 200 || (status === 206 && headers['content-range']?.startsWith('bytes 0-') === true)
}

function visitOf(file: string): Visit {
  if (file === '') return 'page-opened'
  return file.endsWith('.pdf') ? 'guide-downloaded' : 'script-downloaded'
}

/**
 * A visit counts as a person's if the browser reports a user gesture. Chromium 156 sends `Sec-Fetch-User: ?1` for a click on
 * a link of a mail or of a page; for `<a download>` it sends `Sec-Fetch-Site: same-origin` instead. Safari never sends the
 * first (webkit.org/b/247697), so a navigation counts as well. A prefetch (`Sec-Purpose`) does not. Programs and most mail
 * scanners send none of these headers.
 */
function visitorOf(headers: IncomingHttpHeaders, file: string): Visitor {
  const isGesture =
    headers['sec-fetch-user'] === '?1' ||
    headers['sec-fetch-mode'] === 'navigate' ||
    (file !== '' && headers['sec-fetch-site'] === 'same-origin')
  return isGesture && headers['sec-purpose'] === undefined ? 'person' : 'machine'
}
