import { useQuery } from '@tanstack/react-query'
import { Route, Router, Switch } from 'wouter'
import { deskPath } from '#contract/desk-paths.ts'
import { hasCode } from '#owner/desk/views/api/errors.ts'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { Frame } from './frame.tsx'
import { usePath } from '#owner/desk/views/navigation/location.ts'
import { ViewBoundary } from '#owner/desk/views/parts/outline/view-boundary.tsx'
import { ProofDialog } from '#owner/desk/views/proof/proof-dialog.tsx'
import { LetterView } from '#owner/mailings/views/letter.tsx'
import { Letters } from '#owner/mailings/views/letters.tsx'
import { CheckUp } from '#owner/conditions/views/check-up.tsx'
import { Mail } from '#owner/mail/views/mail.tsx'
import { NoSuchView } from '#owner/desk/views/parts/no-such-view.tsx'
import { Page } from '#owner/site/views/page.tsx'
import { ShortForm } from '#owner/site/views/short-form.tsx'
import { Import } from '#owner/people/views/import/import.tsx'
import { People } from '#owner/people/views/people.tsx'
import { Person } from '#owner/people/views/person.tsx'
import { LinkPage, SignIn } from '#owner/desk/views/proof/sign-in.tsx'
import { StartPage } from '#owner/desk/views/proof/start-page.tsx'
import { AddressView } from '#owner/access/views/address.tsx'
import { MailServiceView } from '#owner/access/views/mail-service.tsx'
import { Ready } from '#owner/conditions/views/ready.tsx'
import { Today } from '#owner/reports/views/today.tsx'
import { useTodayState } from '#owner/desk/views/api/use-today-state.ts'
import { You } from '#owner/access/views/you.tsx'

/** The view for whoever is signed in, else the page to sign in, at any address. */
export function Desk() {
  const trpc = useTRPC()
  const path = usePath()
  const session = useQuery({ ...trpc.you.session.queryOptions(), staleTime: Infinity })
  if (path === 'link') return <LinkPage />
  if (path === 'start') return <StartPage />
  // If a session ends later, the view stays with what was typed, and the dialog asks for proof.
  if (hasCode(session.error, 'UNAUTHORIZED') && !session.data) return <SignIn />
  if (session.isPending) return null
  return (
    <>
      <Frame>
        <ViewBoundary key={isPageView(path) ? 'page' : path}>
          <CurrentView />
        </ViewBoundary>
      </Frame>
      <ProofDialog />
    </>
  )
}

/** The parts of the view Page have addresses of their own, and share a draft. */
function isPageView(path: string): boolean {
  return path === 'page' || path.startsWith('page/')
}

/** Ready stands in Today's place until the page is open. */
function FirstView() {
  const { data } = useTodayState()
  return data?.isHeldBack ? <Ready /> : <Today />
}

/** The names in the navigation are in navigation.tsx. */
function CurrentView() {
  return (
    <Router base={deskPath}>
      <Switch>
        <Route path="/" component={FirstView} />
        <Route path="/ready" component={Ready} />
        <Route path="/ready/:part">{({ part }) => <ShortForm part={part} />}</Route>
        <Route path="/mail-service" component={MailServiceView} />
        <Route path="/address" component={AddressView} />
        <Route path="/page/:part?">{({ part = '' }) => <Page part={part} />}</Route>
        <Route path="/people" component={People} />
        <Route path="/people/import" component={Import} />
        <Route path={/^\/people\/(?<id>[1-9]\d{0,14})\/?$/}>
          {({ id }) => <Person id={Number(id)} />}
        </Route>
        <Route path="/mail" component={Mail} />
        <Route path="/letters" component={Letters} />
        <Route path={/^\/letters\/(?<id>[1-9]\d{0,14})\/?$/}>
          {({ id }) => <LetterView id={Number(id)} />}
        </Route>
        <Route path="/check-up" component={CheckUp} />
        <Route path="/you" component={You} />
        <Route component={NoSuchView} />
      </Switch>
    </Router>
  )
}
