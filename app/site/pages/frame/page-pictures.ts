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
  /** Of who signs the note. */
  readonly portrait?: PagePicture
  /** The owner's, in the place of our chart. */
  readonly chart?: PagePicture
  /** In its place, to those who ask for a dark page. */
  readonly chartDark?: PagePicture
  /** In its place, on a narrow screen. */
  readonly chartPhone?: PagePicture
}

/** A page that shows none of them may be rendered without. */
export const PicturesContext = createContext<Partial<PagePictures>>({})

export function usePictures(): Partial<PagePictures> {
  return use(PicturesContext)
}
