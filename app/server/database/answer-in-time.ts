const patienceMs = 2_000

/**
 * What the database answers. From one that is mute nobody waits longer than a sign-up does: then it is a fault like that of
 * one that is away. The question itself stays with the driver and its own, longer limit. For reading: what writes may come
 * to pass after all, and would have been called a failure.
 */
export async function answerInTime<Result>(asked: Promise<Result>, patience = patienceMs): Promise<Result> {
  const { promise: mute, reject } = Promise.withResolvers<never>()
  const fault = Object.assign(new Error('The database does not answer'), { code: 'ETIMEDOUT' })
  const timer = setTimeout(reject, patience, fault)
  try {
    return await Promise.race([asked, mute])
  } finally {
    clearTimeout(timer)
  }
}
