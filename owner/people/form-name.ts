import { ownerMailText } from '#content/owner-mail.ts'

const names = ownerMailText.weeklyReport.signUps.forms

/** Names the form of a sign-up. One without a name of ours is shown as it is. */
export function formName(form: string): string {
  return Object.hasOwn(names, form) ? names[form]! : form
}
