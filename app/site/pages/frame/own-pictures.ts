import { createContext, use } from 'react'

/** A picture at an address of the site. */
export interface PagePicture {
  readonly url: string
  readonly width: number
  readonly height: number
}

/** The pictures of a page of the owner's own. What is left out is ours, or is not there. */
export interface OwnPictures {
  /** In the place of our mark. */
  readonly logo?: PagePicture
  /** A page of the guide that is given away. */
  readonly guidePage?: PagePicture
  /** In the place of our chart. */
  readonly chart?: PagePicture
}

export const PicturesContext = createContext<OwnPictures>({})

export function usePictures(): OwnPictures {
  return use(PicturesContext)
}
