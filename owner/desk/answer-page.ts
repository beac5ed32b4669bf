import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { nameCommands, projectRoot, readProjectFile } from '#server/configuration/project-files.ts'
import { type Answer, securityHeaders, textAnswer } from '#server/http/answer.ts'
import { compress } from '#server/http/compress.ts'
import { loadAssets } from '#server/http/load-static-files.ts'
import { answerStaticFile, makeStaticFile } from '#server/http/static-files.ts'
import { deskPath } from './paths.ts'

const folder = join(projectRoot, 'dist/desk')

type Built = Awaited<ReturnType<typeof load>>
let built: Promise<Built> | undefined

/** Serves the built app. Every path that is not one of its files gets the app itself, which routes its views. */
export async function answerPage(
  request: IncomingMessage,
  path: string,
  publicUrl: string,
): Promise<Answer | undefined> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return textAnswer(405, 'Only GET and HEAD are answered here.', { allow: 'GET, HEAD' })
  const { index, assets } = await (built ??= load(publicUrl))
  const file = path.startsWith(`${deskPath}/assets/`) ? assets.get(path) : index
  return file && answerStaticFile(request, file)
}

async function load(publicUrl: string) {
  const html = Buffer.from(nameCommands(readProjectFile(join(folder, 'index.html')).toString()))
  const hashes = JSON.parse(readProjectFile(join(folder, 'build.json')).toString())
  const { document } = securityHeaders(publicUrl, publicUrl, hashes)
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': document['content-security-policy'] ?? '',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  }
  const assets = loadAssets(join(folder, 'assets'), `${deskPath}/assets`)
  return { index: makeStaticFile(html, await compress(html), headers), assets }
}
