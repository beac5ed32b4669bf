import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'

/** Asks the browser for a passkey. `options`: as the server made them. */
export async function askForPasskey(options: object) {
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON // the same library made them
  const answer = await startAuthentication({ optionsJSON }).catch(() => {
    throw new Error('The passkey was not accepted. Try again, or use a code.')
  })
  return { ...answer } // the API takes an object with any further fields
}

/** Lets the browser make a passkey. */
export async function makePasskey(options: object) {
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON // the same library made them
  const answer = await startRegistration({ optionsJSON }).catch(() => {
    throw new Error('No passkey was made. Try again, or use another device.')
  })
  return { ...answer } // as above
}
