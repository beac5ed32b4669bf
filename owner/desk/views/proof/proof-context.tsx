import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useMemo,
  useRef,
  useState,
} from 'react'

/** Asked when the session is over, or when an action needs a fresh proof. */
export interface Question {
  isSignedOut: boolean
}

/** The code that was mailed last. Times are ms since 1970. */
export interface MailedCode {
  endsAt: number
  /** When another one may be asked for. */
  nextAt: number
}

interface Proof {
  /** As fetch. A call that is refused waits for a proof of who is there, and is sent again. */
  fetchWithProof(url: string | URL | Request, init?: object): Promise<Response>
  /** The same for a call that is not sent by fetch. */
  callWithProof(call: () => Promise<Response>): Promise<Response>
  /** It is undefined if no call waits for a proof. */
  question: Question | undefined
  /** `isProved`: false drops the calls that wait. */
  answer(isProved: boolean): void
  mailedCode: MailedCode | undefined
  setMailedCode(code: MailedCode): void
}

const ProofContext = createContext<Proof | undefined>(undefined)

export function useProof(): Proof {
  const proof = useContext(ProofContext)
  if (!proof) throw new Error('There is no ProofProvider above')
  return proof
}

/** The calls that are refused at the same time ask one question. */
export function ProofProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question>()
  const [mailedCode, setMailedCode] = useState<MailedCode>()
  const pendingAnswer = useRef<PromiseWithResolvers<boolean>>(undefined)

  const callWithProof = useCallback(async (call: () => Promise<Response>) => {
    const path = location.pathname
    const response = await call()
    // Nobody waits any more for a call of a view that was left.
    if (location.pathname !== path || !isProofWanted(response)) return response
    if (!pendingAnswer.current) {
      pendingAnswer.current = Promise.withResolvers<boolean>()
      setQuestion({ isSignedOut: response.status === 401 })
    }
    return (await pendingAnswer.current.promise) ? call() : response
  }, [])
  const fetchWithProof = useCallback(
    (url: string | URL | Request, init?: object) => callWithProof(() => fetch(url, init)),
    [callWithProof],
  )

  const answer = useCallback((isProved: boolean) => {
    pendingAnswer.current?.resolve(isProved)
    pendingAnswer.current = undefined
    setQuestion(undefined)
  }, [])

  const proof = useMemo(
    () => ({ fetchWithProof, callWithProof, question, answer, mailedCode, setMailedCode }),
    [fetchWithProof, callWithProof, question, answer, mailedCode],
  )
  return <ProofContext value={proof}>{children}</ProofContext>
}

/** The page to sign in shows its refusals itself. */
function isProofWanted({ status, url }: Response): boolean {
  if (status !== 401 && status !== 403) return false
  return !/(?:you\.session|signIn\.\w+)$/.test(url)
}
