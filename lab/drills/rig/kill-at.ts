// Preloaded into the product by a drill: ends it, as kill -9 does, at one exact moment.
import { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { signUpPath } from '#contract/sign-up.ts'

export type Moment = 'before-the-answer' | 'after-the-answer' | 'after-the-250'

const moments: Record<string, () => void> = {
  'before-the-answer': () => atAnswerOfSignUp(die),
  'after-the-answer': () => atAnswerOfSignUp((response) => response.once('finish', die)),
  'after-the-250': atFinalReply,
}

const { searchParams } = new URL(import.meta.url)
moments[searchParams.get('moment') ?? '']?.()

function atAnswerOfSignUp(act: (response: ServerResponse) => void): void {
  const end = ServerResponse.prototype.end
  ServerResponse.prototype.end = function (this: ServerResponse, ...given: unknown[]) {
    if (this.req.url === signUpPath && this.statusCode === 200) act(this)
    return Reflect.apply(end, this, given)
  }
}

/** The moment the peer's 250 to the mail is in this process, before anyone reads it. */
function atFinalReply(): void {
  const keptReply = searchParams.get('reply') ?? ''
  const push = Socket.prototype.push
  Socket.prototype.push = function (chunk: unknown, encoding?: BufferEncoding) {
    if (Buffer.isBuffer(chunk) && chunk.includes(keptReply)) die()
    return push.call(this, chunk, encoding)
  }
}

function die(): void {
  process.kill(process.pid, 'SIGKILL')
}
