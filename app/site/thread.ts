import { parentPort, workerData } from 'node:worker_threads'
import { createSiteWork } from './site-work.tsx'
import type { RendererAnswer, RendererRequest } from './thread-messages.ts'

// The thread in which the server renders and draws. It answers one request after the other.
const work = createSiteWork(workerData as string) // the client gives the folder of the build
let last = Promise.resolve()
parentPort?.on('message', (request: RendererRequest) => {
  last = last.then(async () => parentPort?.postMessage(await answerTo(request)))
})

async function answerTo(request: RendererRequest): Promise<RendererAnswer> {
  const { id } = request
  try {
    return { id, kind: 'result', result: await doWork(request) }
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault
    const isContent = fault.name === 'ContentError'
    return { id, kind: 'fault', message: isContent ? fault.message : fault.stack!, isContent }
  }
}

function doWork(request: RendererRequest): unknown {
  switch (request.name) {
    case 'readFiles':
      return work.readFiles(...request.values)
    case 'render':
      return work.render(...request.values)
    case 'renderNotes':
      return work.renderNotes(...request.values)
    case 'draw':
      return work.draw(...request.values)
    case 'drawOne':
      return work.drawOne(...request.values)
    case 'warm':
      return work.warm()
  }
}
