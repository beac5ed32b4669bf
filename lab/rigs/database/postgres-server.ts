import { execFile, type ExecFileOptions } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findPostgresPrograms, type PostgresPrograms } from './postgres-programs.ts'

export interface PostgresServer {
  /** Names a database that always exists and stays empty. */
  url: string
  /** Makes an empty database; gives its URL. */
  newDatabase(): Promise<string>
  /** Copies it to a standby that follows it from now on. Its own connections break once. */
  addStandby(options: { synchronous: boolean }): Promise<Standby>
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

export interface Standby {
  /** The URL of a database of the primary, with both servers in it. */
  urlOf(database: string): string
  /** Makes it the primary. Resolves when it takes writes. */
  promote(): Promise<void>
  stop(): Promise<void>
}

export interface PostgresOptions {
  /** Without it a commit survives the end of the server, and not that of the machine. Off by default: tests end faster. */
  fsync?: boolean
}

type Run = (program: string, arguments_: string[]) => Promise<string>

const user = 'starter'

/**
 * A real server in a temporary folder, reached over a private socket only. Undefined: this machine has no
 * PostgreSQL, neither installed nor as an npm package.
 */
export async function startPostgresServer({ fsync = false }: PostgresOptions = {}): Promise<
  PostgresServer | undefined
> {
  const found = findPostgresPrograms()
  if (!found) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'starter-bot-postgres-'))
  const cluster = await makeCluster(found, folder, fsync)
  const urlOf = (database: string) => `postgres://${user}@localhost/${database}?host=${folder}`
  const url = urlOf('postgres')
  let databases = 0
  async function destroy() {
    signal(cluster.data, 'SIGCONT')
    await cluster.stop('immediate').catch(() => {}) // it may have been stopped already
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
    addStandby: ({ synchronous }) => addStandby(cluster, folder, synchronous),
    crash: () => cluster.stop('immediate'),
    start: () => cluster.start(),
    freeze: () => signal(cluster.data, 'SIGSTOP'),
    thaw: () => signal(cluster.data, 'SIGCONT'),
    destroy,
    [Symbol.asyncDispose]: destroy,
  }
}

interface Cluster {
  data: string
  /** `more`: options of the server, such as `-c name=value`. */
  start(more?: string): Promise<void>
  /** `immediate`: like a crash, without a clean shutdown. */
  stop(mode: 'immediate' | 'fast'): Promise<void>
  promote(): Promise<void>
  /** A standby on a copy of the data, in a new folder. This one must be stopped. */
  copyTo(folder: string): Promise<Cluster>
}

/** Makes the data folder and starts the server. */
async function makeCluster(found: PostgresPrograms, folder: string, fsync: boolean): Promise<Cluster> {
  const owner = unprivilegedUser()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const run = runAs({ ...owner, cwd: folder, env: { LC_ALL: 'C', TZ: 'UTC', PATH: process.env['PATH'] } })
  const { initdb, pgCtl } = await reachable(found, folder, run)
  const cluster = clusterIn(folder, pgCtl, run, fsync)
  try {
    await run(initdb, ['-D', cluster.data, '-U', user, '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N'])
    await cluster.start()
    return cluster
  } catch (cause) {
    const log = join(folder, 'log')
    const printed = existsSync(log) ? readFileSync(log, 'utf8') : ''
    rmSync(folder, { recursive: true, force: true })
    throw new Error(`PostgreSQL does not start. ${printed}`, { cause })
  }
}

function clusterIn(folder: string, pgCtl: string, run: Run, fsync: boolean): Cluster {
  const [data, log] = [join(folder, 'data'), join(folder, 'log')]
  const control = async (...words: string[]) =>
    void (await run(pgCtl, ['-D', data, '-w', '-t', '60', ...words]))
  return {
    data,
    start: (more = '') => control('-l', log, '-o', `${settings(folder, fsync)} ${more}`, 'start'),
    stop: (mode) => control('-m', mode, 'stop'),
    promote: () => control('promote'),
    async copyTo(other) {
      await run('mkdir', [other])
      await run('cp', ['-a', data, other])
      await run('touch', [join(other, 'data', 'standby.signal')])
      return clusterIn(other, pgCtl, run, fsync)
    },
  }
}

async function addStandby(primary: Cluster, folder: string, synchronous: boolean): Promise<Standby> {
  const other = join(folder, 'standby')
  await primary.stop('fast')
  const standby = await primary.copyTo(other)
  await primary.start(
    synchronous ? `-c synchronous_standby_names='*' -c synchronous_commit=remote_apply` : '',
  )
  await standby.start(`-c primary_conninfo='host=${folder} user=${user}'`)
  return {
    urlOf: (database) => `postgres://${user}@localhost/${database}?host=${folder},${other}`,
    promote: standby.promote,
    stop: () => standby.stop('immediate'),
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
