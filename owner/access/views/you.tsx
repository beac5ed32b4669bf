import { Button, Modal, SimpleGrid, Stack } from '@mantine/core'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { formatDayAndTime, formatLongDay, formatMoment } from '#owner/desk/views/format/format.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import { ActionButton } from '#owner/desk/views/parts/actions/action-button.tsx'
import { ConfirmButton } from '#owner/desk/views/parts/actions/confirm-button.tsx'
import { LoadingRows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import { AddressForm } from '#owner/desk/views/proof/address-form.tsx'
import { MakePasskey } from '#owner/desk/views/proof/make-passkey.tsx'

type YouState = RouterOutputs['you']['show']

export function You() {
  const trpc = useTRPC()
  const you = useQuery(trpc.you.show.queryOptions())
  return (
    <View
      heading={you.data?.ownerEmail}
      note={you.data && noteFor(you.data)}
      actions={<SignOut />}
      query={you}
    >
      {you.isPending && <LoadingRows />}
      {you.data && (
        <SimpleGrid>
          <div>
            <Passkeys {...you.data} />
            <Browsers browsers={you.data.browsers} />
            {!you.data.isOwnerFixed && <OwnAddress />}
          </div>
          <Section heading="The site" rows={siteLinks} />
          <Section
            heading="Activity log"
            rows={you.data.audit.map(({ at, action, about }) => ({
              words: /^\d*$/.test(about) ? action : `${action} ${about}`,
              axis: formatMoment(at),
            }))}
          />
        </SimpleGrid>
      )}
    </View>
  )
}

const siteLinks = [
  { words: <a href={hrefOf('ready')}>Ready</a>, actions: 'What a page needs before it opens.' },
  { words: <a href={hrefOf('mail-service')}>Mail service</a>, actions: 'Your email provider.' },
  { words: <a href={hrefOf('address')}>Address</a>, actions: 'Your site’s address.' },
]

function noteFor({ isOwnerFixed }: YouState): string {
  const setBy = isOwnerFixed ? ' The environment sets it: OWNER_EMAIL.' : ''
  return `Whoever can read this inbox can open the desk.${setBy}`
}

/** Nothing that the desk knew stays in this tab. */
function leave(): void {
  location.reload()
}

function SignOut() {
  const trpc = useTRPC()
  const signOut = useMutation(trpc.you.signOut.mutationOptions({ onSuccess: leave }))
  const everywhere = useMutation(trpc.you.signOutEverywhere.mutationOptions({ onSuccess: leave }))
  return (
    <>
      <ActionButton variant="filled" mutation={signOut} input={undefined}>
        Sign out
      </ActionButton>
      <ActionButton mutation={everywhere} input={undefined}>
        Sign out everywhere
      </ActionButton>
    </>
  )
}

function OwnAddress() {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const change = useMutation(
    trpc.you.changeOwner.mutationOptions(followUp({ refresh: [trpc.you.show.queryFilter()] })),
  )
  return (
    <Section heading="Your address" note="Codes, reports and alarms go to it.">
      <Button onClick={() => setOpen(true)}>Change your address</Button>
      <Modal opened={isOpen} onClose={close} title="Change your address">
        <Stack>
          <p>Your other browsers are signed out. Codes sent to the old address stop working.</p>
          <AddressForm
            words="Change it"
            send={(email) => change.mutate({ email }, { onSuccess: close })}
            isPending={change.isPending}
            error={change.error}
          />
        </Stack>
      </Modal>
    </Section>
  )
}

function Browsers({ browsers }: Pick<YouState, 'browsers'>) {
  return (
    <Section
      heading="Browsers signed in"
      rows={browsers.map(({ hash, browser, isThis, signed_in_at: since, seen_at: seenAt }) => ({
        id: hash,
        words: isThis ? `${browser} (this browser)` : browser,
        note: `since ${formatDayAndTime(since)}`,
        actions: !isThis && <SignOutBrowser hash={hash} browser={browser} />,
        axis: formatMoment(seenAt),
      }))}
    />
  )
}

function SignOutBrowser({ hash, browser }: { hash: string; browser: string }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const signOut = useMutation(
    trpc.you.signOutBrowser.mutationOptions(
      followUp({ refresh: [trpc.you.show.queryFilter()], done: `${browser} is signed out.` }),
    ),
  )
  return (
    <ActionButton mutation={signOut} input={hash} aria-label={`Sign out: ${browser}`}>
      Sign out
    </ActionButton>
  )
}

function Passkeys({ passkeys, passkeyObstacle }: YouState) {
  return (
    <Section
      heading="Passkeys"
      note="With a passkey your finger, your face or the PIN of this device opens the desk. No mail needed. It stays on your device; the desk keeps only a key that can check it."
      rows={passkeys.map(({ id, name, madeAt, usedAt }) => ({
        id,
        words: name,
        note: `made ${formatLongDay(madeAt)}${usedAt === null ? '' : `, last used ${formatLongDay(usedAt)}`}`,
        actions: <RemovePasskey id={id} name={name} />,
      }))}
    >
      {passkeyObstacle !== null && <Soft>{passkeyObstacle}</Soft>}
      {passkeyObstacle === null && browserSupportsWebAuthn() && <MakePasskey />}
    </Section>
  )
}

function RemovePasskey({ id, name }: { id: string; name: string }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const remove = useMutation(
    trpc.you.removePasskey.mutationOptions(followUp({ refresh: [trpc.you.show.queryFilter()] })),
  )
  return (
    <ConfirmButton
      words="Remove"
      aria-label={`Remove: ${name}`}
      heading={`Remove the passkey “${name}”?`}
      mutation={remove}
      input={id}
    >
      It no longer opens the desk. Your device may still offer it.
    </ConfirmButton>
  )
}
