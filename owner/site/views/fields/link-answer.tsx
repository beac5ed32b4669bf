import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { useSettled } from '#owner/desk/views/api/use-settled.ts'
import { Glyph } from '#owner/desk/views/parts/glyph.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'

/** After the last keystroke. */
const askAfterMs = 1_500
const knownForMs = 300_000

/** Says that the page behind a link does not answer. It stops nothing. */
export function LinkAnswer({ link }: { link: string }) {
  const trpc = useTRPC()
  const asked = useSettled(link, { ms: askAfterMs })
  const { data } = useQuery({
    ...trpc.page.checkLink.queryOptions({ link: asked }),
    enabled: asked !== '',
    staleTime: knownForMs,
  })
  if (!data || asked !== link) return null
  return (
    <Soft mt={4}>
      <Glyph mark="look" />
      {data}
    </Soft>
  )
}
