import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

export interface Child {
  /** Sends a question and waits for the next answer. */
  ask<Answer>(question: object): Promise<Answer>
  [Symbol.asyncDispose](): Promise<void>
}

/** Runs a program of the bench as a child process, so that its work does not count for another program. */
export function startChild(file: string): Child {
  const child = fork(file, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const failed = failure(child, file)
  failed.catch(() => {}) // it may end between two questions, as it does in the end
  return {
    async ask<Answer>(question: object) {
      const answer = Promise.race([once(child, 'message'), failed])
      child.send(question)
      return (await answer)[0] as Answer // each program and its caller agree on the form
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** Answers each question of the parent with what `answer` gives. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each program and its caller agree on the form
export function answerParent<Question>(answer: (question: Question) => Promise<object>): void {
  process.on('disconnect', () => process.exit())
  process.on('message', (question) => {
    void answer(question as Question).then((found) => process.send?.(found))
  })
}

async function failure(child: ChildProcess, file: string): Promise<never> {
  const [code, signal] = await once(child, 'exit')
  throw new Error(`${file} ended unexpectedly (${code ?? signal})`)
}
