import { createContext, use } from 'react'

/** A picture at an address of the site. */
export interface PagePicture {
  readonly url: string
  readonly width: number
  readonly height: number
}

/** The pictures of a site that its pages show. */
export interface PagePictures {
  /** A page of the guide that is given away. */
  readonly guidePage: PagePicture
  /** The owner's, in the place of our mark. */
  readonly logo?: PagePicture
  /** The picture of who signs the note. */
  readonly portrait?: PagePicture
  /** The owner's chart, in the place of ours. */
  readonly chart?: PagePicture
  /** The chart for those who ask for a dark page. */
  readonly chartDark?: PagePicture
  /** The chart for narrow screens. */
  readonly chartPhone?: PagePicture
}

/** A page that shows none of them may be rendered without. */
export const PicturesContext = createContext<Partial<PagePictures>>({})

export function usePictures(): Partial<PagePictures> {
  return use(PicturesContext)
}
