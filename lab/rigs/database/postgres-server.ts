import { execFile, type ExecFileOptions } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findPostgresPrograms, type PostgresPrograms, type PostgresSource } from './postgres-programs.ts'

export interface PostgresServer {
  /** Names a database that always exists and stays empty. */
  url: string
  /** Makes an empty database; gives its URL. */
  newDatabase(): Promise<string>
  /** Ends it like a power cut: no clean shutdown, connections break. */
  crash(): Promise<void>
  start(): Promise<void>
  /** Suspends all its processes: connections stay open and nothing is answered. */
  freeze(): void
  thaw(): void
  /** Stops it and deletes its folder. */
  destroy(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface PostgresOptions {
  source?: PostgresSource
  /** Without it a commit survives the end of the server, and not that of the machine. Off by default: tests end faster. */
  fsync?: boolean
}

type Run = (program: string, arguments_: string[]) => Promise<string>

const user = 'starter'

/**
 * A real server in a temporary folder, reached over a private socket only. Undefined: this machine has no
 * PostgreSQL, neither installed nor as an npm package.
 */
export async function startPostgresServer({ source, fsync = false }: PostgresOptions = {}): Promise<
  PostgresServer | undefined
> {
  const found = findPostgresPrograms(source)
  if (!found) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'starter-bot-postgres-'))
  const cluster = await makeCluster(found, folder, fsync)
  const urlOf = (database: string) => `postgres://${user}@localhost/${database}?host=${folder}`
  const url = urlOf('postgres')
  let databases = 0
  async function destroy() {
    signal(cluster.data, 'SIGCONT')
    await cluster.stop().catch(() => {}) // it may have been stopped already
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    url,
    async newDatabase() {
      databases += 1
      const name = `test_${process.pid}_${databases}`
      await runOnPostgres(url, `create database ${name}`)
      return urlOf(name)
    },
    crash: cluster.stop,
    start: cluster.start,
    freeze: () => signal(cluster.data, 'SIGSTOP'),
    thaw: () => signal(cluster.data, 'SIGCONT'),
    destroy,
    [Symbol.asyncDispose]: destroy,
  }
}

interface Cluster {
  data: string
  start(): Promise<void>
  /** Ends it like a crash, without a clean shutdown. */
  stop(): Promise<void>
}

/** Makes the data folder and starts the server. */
async function makeCluster(found: PostgresPrograms, folder: string, fsync: boolean): Promise<Cluster> {
  const owner = unprivilegedUser()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const run = runAs({ ...owner, cwd: folder, env: { LC_ALL: 'C', TZ: 'UTC', PATH: process.env['PATH'] } })
  const { initdb, pgCtl } = await reachable(found, folder, run)
  const [data, log] = [join(folder, 'data'), join(folder, 'log')]
  const start = async () => {
    await run(pgCtl, ['-D', data, '-l', log, '-w', '-t', '60', '-o', settings(folder, fsync), 'start'])
  }
  const stop = async () => void (await run(pgCtl, ['-D', data, '-m', 'immediate', '-w', 'stop']))
  try {
    await run(initdb, ['-D', data, '-U', user, '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N'])
    await start()
    return { data, start, stop }
  } catch (cause) {
    const printed = existsSync(log) ? readFileSync(log, 'utf8') : ''
    rmSync(folder, { recursive: true, force: true })
    throw new Error(`PostgreSQL does not start. ${printed}`, { cause })
  }
}

/** Uses a separate connection. */
export async function runOnPostgres(url: string, sql: string): Promise<void> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** No TCP: nobody else on the machine can reach it. */
function settings(folder: string, fsync: boolean): string {
  const durability = fsync ? '-c fsync=on' : '-c fsync=off -c full_page_writes=off'
  return `-c listen_addresses='' -c unix_socket_directories='${folder}' -c max_connections=100 ${durability}`
}

/** PostgreSQL refuses to run as root. Undefined: we are not root. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const [, , uid, gid] = ['postgres', 'nobody']
    .flatMap((name) => users.filter((one) => one[0] === name))
    .at(0) ?? ['', '', '65534', '65534']
  return { uid: Number(uid), gid: Number(gid) }
}

/** Root's own folders are closed to that other user; then it gets a copy of the programs and all they need. */
async function reachable(programs: PostgresPrograms, folder: string, run: Run): Promise<PostgresPrograms> {
  try {
    await run(programs.initdb, ['--version'])
    return programs
  } catch {
    const copy = join(folder, 'programs')
    cpSync(dirname(dirname(programs.initdb)), copy, { recursive: true, verbatimSymlinks: true })
    return { initdb: join(copy, 'bin/initdb'), pgCtl: join(copy, 'bin/pg_ctl') }
  }
}

function runAs(options: ExecFileOptions): Run {
  return async (program, arguments_) => {
    const { stdout } = await promisify(execFile)(program, arguments_, { ...options, encoding: 'utf8' })
    return stdout
  }
}

/** Sends a signal to the server and its child processes. */
function signal(data: string, name: 'SIGSTOP' | 'SIGCONT'): void {
  const pidFile = join(data, 'postmaster.pid')
  if (!existsSync(pidFile)) return
  const server = Number(readFileSync(pidFile, 'utf8').split('\n', 1)[0])
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ')
  for (const pid of [server, ...children.filter((one) => one !== '').map(Number)]) {
    try {
      process.kill(pid, name)
    } catch (fault) {
      // A process that served a connection may have ended since it was listed.
      if (!(fault instanceof Error && 'code' in fault && fault.code === 'ESRCH')) throw fault
    }
  }
}
