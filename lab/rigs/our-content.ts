import { ourScript } from '#build/share/artwork.ts'
import { siteContent } from '#site/site-content.ts'
import { defaultSource } from '#site/source.ts'

/** The texts of a site of which the owner has changed nothing. */
export const ourContent = siteContent(defaultSource, ourScript())
