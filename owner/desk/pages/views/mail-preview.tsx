import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useRef } from 'react'
import type { AnnouncementText } from '../../contract.ts'
import { deskApiPath } from '../../paths.ts'
import { call } from '../api.ts'
import { LoadError } from '../parts.tsx'

export type Scheme = 'light' | 'dark' | 'text'

/** The mail as it arrives. */
export function MailPreview({ text, scheme }: { text: AnnouncementText; scheme: Scheme }) {
  const wanted = useDeferredValue(text)
  const preview = useQuery({
    queryKey: ['preview', wanted],
    queryFn: async () => ({
      ...(await call('POST announcements/preview', wanted)),
      page: await fetchPage(wanted),
    }),
    placeholderData: (before) => before,
    structuralSharing: false,
    staleTime: Infinity,
  })
  return (
    <div className="preview">
      <LoadError of={preview} />
      {preview.data && (
        <>
          <p className="note preview-head">{preview.data.subject}</p>
          {scheme === 'text' ? (
            <pre className="preview-text">{preview.data.text}</pre>
          ) : (
            <MailBody page={preview.data.page} scheme={scheme} />
          )}
        </>
      )}
    </div>
  )
}

/** Under trusted types a string is never parsed as HTML; XMLHttpRequest parses an answer without running anything in it. */
function fetchPage(text: AnnouncementText): Promise<Document> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `${deskApiPath}/announcements/preview-page`)
    request.setRequestHeader('content-type', 'application/json')
    request.responseType = 'document'
    request.addEventListener('loadend', () => {
      if (request.status === 200 && request.responseXML) resolve(request.responseXML)
      else reject(new Error(`The server answered ${request.status}.`))
    })
    request.send(JSON.stringify(text))
  })
}

/** In a shadow tree, so that the styles of mail and desk do not meet. They are set by script: the policy allows no others. */
function MailBody({ page, scheme }: { page: Document; scheme: 'light' | 'dark' }) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!host.current) return
    const shadow = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    const isDark = scheme === 'dark' ? 'all' : 'not all'
    shadow.adoptedStyleSheets = Array.from(page.querySelectorAll('template'), ({ content }) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync((content.textContent ?? '').replaceAll(/\(prefers-color-scheme:\s*dark\)/g, isDark))
      return sheet
    })
    shadow.replaceChildren(withStyles(page.body))
  }, [page, scheme])
  return <div className={`mail-body mail-${scheme}`} ref={host} />
}

/** A copy for this document. It leads nowhere. */
function withStyles(body: HTMLElement): HTMLElement {
  const copy = document.importNode(body, true)
  for (const link of copy.querySelectorAll('[href]')) link.removeAttribute('href')
  for (const element of [copy, ...copy.querySelectorAll<HTMLElement>('[data-style]')])
    element.style.cssText = element.dataset['style'] ?? ''
  return copy
}
