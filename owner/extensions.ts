import { projectRoot } from '#server/configuration/project-files.ts'
import type { Extension, ExtensionContext } from '#server/start/extension.ts'

/** Parts that the owner's ring adds to the running server. They are imported only if the configuration asks for them. */
export const ownerExtensions: readonly Extension[] = [
  async (context) => {
    const deps = ownerMailDeps(context)
    if (!deps) return undefined
    const { startOwnerMail } = await import('./weekly-report/start-owner-mail.ts')
    return startOwnerMail(deps)
  },
  async (context) => {
    const { startStormWatch } = await import('./weekly-report/storm/watch-storm.ts')
    return startStormWatch(context, ownerMailDeps(context))
  },
  async (context) => {
    const { bounceToken } = context.config
    if (bounceToken === undefined) return undefined
    const { answerBounceHook, bounceHookPath } = await import('./deliveries/bounces/bounce-hook.ts')
    return {
      answer: (request, path) =>
        path === bounceHookPath ? answerBounceHook(request, { ...context, bounceToken }) : undefined,
    }
  },
  async (context) => {
    const { ownerEmail } = context.config
    if (ownerEmail === undefined) return undefined
    const { startDesk } = await import('./desk/desk.ts')
    return startDesk({ ...context, ownerEmail, folder: projectRoot })
  },
  async (context) => {
    const { createTriggers, dropTriggers } = await import('./webhooks/triggers.ts')
    const { webhook } = context.config
    await (webhook ? createTriggers : dropTriggers)(context.database)
    if (webhook === undefined) return undefined
    const { startSending } = await import('./webhooks/event-queue.ts')
    return startSending(context, webhook)
  },
  async (context) => {
    const { startReleasing } = await import('./announcements/release-mail.ts')
    return startReleasing(context, ownerMailDeps(context))
  },
  ({ database, now }) => ({
    async maintain() {
      const { eraseLeftBehind } = await import('./doctor/site/temporary-subscriber.ts')
      await eraseLeftBehind(database.query, now())
    },
  }),
]

/** Returns undefined if the owner gets no mail. */
function ownerMailDeps(context: ExtensionContext) {
  const { ownerEmail } = context.config
  return ownerEmail === undefined ? undefined : { ...context, ownerEmail }
}
