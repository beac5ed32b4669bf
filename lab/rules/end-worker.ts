// Vitest ends its workers with SIGTERM. Node then leaves out the handlers of `exit`, which end the
// servers and delete the folders of tests.
if (process.listenerCount('SIGTERM') === 0) process.once('SIGTERM', () => process.exit())
