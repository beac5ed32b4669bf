/** Ready, and what it leads to. */
const forOpening = new Set(['ready', 'mail-service', 'address'])

/**
 * Returns the view in the navigation that leads to a place of the desk. What a page needs before it
 * opens stands under Ready until then, and under You after.
 */
export function linkTo(place: string, { isHeldBack }: { isHeldBack: boolean }): string {
  const view = place.split(/[/#]/)[0]!
  if (!forOpening.has(view)) return view
  return isHeldBack ? 'ready' : 'you'
}
