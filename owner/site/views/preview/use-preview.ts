import { useEffect, useRef, useState } from 'react'
import { errorMessage } from '#owner/desk/views/api/errors.ts'
import { type RouterInputs, type RouterOutputs, useTRPCClient } from '#owner/desk/views/api/trpc.ts'
import type { PageDraft } from '../draft/use-draft.ts'

type Wish = RouterInputs['page']['preview']
export type ShownDocument = Wish['what']

export interface ShownPreview {
  what: ShownDocument
  document: RouterOutputs['page']['preview']
}

/**
 * Renders what is chosen after every change. `page`: of the guide. One request at a time, always of
 * the newest words, so that a fast typist waits for no older one.
 */
export function usePreview(what: ShownDocument, page: number, draft: PageDraft) {
  const client = useTRPCClient()
  const [shown, setShown] = useState<ShownPreview>()
  const [fault, setFault] = useState<string>()
  const wanted = useRef<Wish>(undefined)
  const isRunning = useRef(false)
  const [isCurrent, setCurrent] = useState(false)
  const { unsaved, texts, state } = draft
  const content = JSON.stringify([texts, state.files])

  useEffect(() => {
    wanted.current = { what, page, texts: unsaved }
    setCurrent(false)
    void renderWanted()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `content` changes with all that is shown
  }, [what, page, content])

  async function renderWanted(): Promise<void> {
    if (isRunning.current) return
    isRunning.current = true
    while (wanted.current) {
      const wish = wanted.current
      wanted.current = undefined
      try {
        const document = await client.page.preview.query(wish)
        setShown({ what: wish.what, document })
        setFault(undefined)
      } catch (error) {
        setFault(errorMessage(error))
      }
    }
    isRunning.current = false
    setCurrent(true)
  }

  return { shown, fault, isCurrent }
}
