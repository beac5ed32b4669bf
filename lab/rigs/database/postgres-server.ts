import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findPostgresPrograms, type PostgresPrograms } from './postgres-programs.ts'

/** A PostgreSQL of a test. Disposing of it stops it and deletes its folder. */
export interface PostgresServer extends AsyncDisposable {
  /** Names a database that always exists and stays empty. */
  url: string
  /** Holds its socket. */
  folder: string
  /** Makes an empty database; returns its URL. */
  newDatabase(): Promise<string>
  /**
   * Copies it to a synchronous standby that follows it from now on. Its own connections break once.
   */
  addStandby(): Promise<Standby>
  /** Ends it like a power cut: no clean shutdown, connections break. */
  crash(): Promise<void>
  start(): Promise<void>
  /**
   * Suspends all its processes: connections stay open and nothing is answered. Linux only. Returns
   * what ends that.
   */
  freeze(): () => void
  /** Stops it and deletes its folder. */
  destroy(): Promise<void>
}

export type SharedPostgresServer = Pick<PostgresServer, 'newDatabase' | 'destroy'>

export interface Standby extends AsyncDisposable {
  /** Holds its socket. */
  folder: string
  /** Makes it the primary. Resolves when it takes writes. */
  promote(): Promise<void>
}

const user = 'starter'
/** PostgreSQL refuses to run as root. */
const nobody = { uid: 65534, gid: 65534 }

/**
 * A real server in a temporary folder, reached over a private socket only. Undefined: this machine
 * has no PostgreSQL, neither installed nor as an npm package. A commit survives the end of the
 * server, and not that of the machine. Its folder is in POSTGRES_PARENT, which `npm test` sets.
 */
export async function startPostgresServer(): Promise<PostgresServer | undefined> {
  const programs = findPostgresPrograms()
  if (!programs) return undefined
  const parent = process.env['POSTGRES_PARENT'] ?? tmpdir()
  const folder = mkdtempSync(join(parent, 'starter-bot-postgres-'))
  const cluster = await makeCluster(programs, folder)
  const url = `postgres://${user}@localhost/postgres?host=${folder}`
  // Tests that are broken off leave no server behind.
  const end = () =>
    existsSync(join(cluster.data, 'postmaster.pid')) && signal(serverOf(cluster.data), 'SIGQUIT')
  process.once('exit', end)
  async function destroy() {
    process.off('exit', end)
    await cluster.stop('immediate').catch(() => {}) // it may have been stopped already
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    url,
    folder,
    newDatabase: () => newDatabase(url),
    addStandby: () => addStandby(cluster, folder),
    crash: () => cluster.stop('immediate'),
    start: () => cluster.start(),
    freeze: () => freeze(cluster.data),
    destroy,
    [Symbol.asyncDispose]: destroy,
  }
}

/**
 * The server that `npm test` has started, or else one of the caller's own. `destroy` leaves the
 * former running.
 */
export async function sharedPostgresServer(): Promise<SharedPostgresServer | undefined> {
  const ofThisRun = process.env['TEST_POSTGRES_URL']
  if (ofThisRun === undefined) return startPostgresServer()
  return { newDatabase: () => newDatabase(ofThisRun), destroy: async () => {} }
}

function freeze(data: string): () => void {
  const server = serverOf(data)
  signal(server, 'SIGSTOP') // first: from now on it starts no process
  const children =
    readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').match(/\d+/g) ?? []
  const all = [...children.map(Number), server]
  for (const pid of all) signal(pid, 'SIGSTOP')
  return () => all.forEach((pid) => signal(pid, 'SIGCONT'))
}

function serverOf(data: string): number {
  return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {} // it has ended by itself
}

interface Programs {
  run: (program: string, ...words: string[]) => Promise<unknown>
  pgCtl: string
}

type Cluster = ReturnType<typeof clusterIn>

/** Makes the data folder and starts the server. */
async function makeCluster(programs: PostgresPrograms, folder: string): Promise<Cluster> {
  const owner = process.getuid?.() === 0 ? nobody : undefined
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const options = {
    ...owner,
    cwd: folder,
    env: { LC_ALL: 'C', TZ: 'UTC', PATH: process.env['PATH'] },
  }
  const run: Programs['run'] = (program, ...words) => promisify(execFile)(program, words, options)
  const { initdb, pgCtl } = await reachable(programs, folder, run)
  const cluster = clusterIn(folder, { run, pgCtl })
  try {
    await run(
      initdb,
      '-D',
      cluster.data,
      '-U',
      user,
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-locale',
      '-N',
    )
    await cluster.start()
    return cluster
  } catch (cause) {
    const log = join(folder, 'log')
    const printed = existsSync(log) ? readFileSync(log, 'utf8') : ''
    rmSync(folder, { recursive: true, force: true })
    throw new Error(`PostgreSQL does not start. ${printed}`, { cause })
  }
}

function clusterIn(folder: string, programs: Programs) {
  const data = join(folder, 'data')
  const log = join(folder, 'log')
  const control = async (...words: string[]) =>
    void (await programs.run(programs.pgCtl, '-D', data, '-w', '-t', '60', ...words))
  // No TCP: nobody else on the machine can reach it.
  const sockets = `-c listen_addresses='' -c unix_socket_directories='${folder}' -c max_connections=100`
  const durability = '-c fsync=off -c full_page_writes=off'
  return {
    data,
    programs,
    /** `more`: options of the server, such as `-c name=value`. */
    start: (more = '') => control('-l', log, '-o', `${sockets} ${durability} ${more}`, 'start'),
    /** `immediate`: like a crash, without a clean shutdown. */
    stop: (mode: 'immediate' | 'fast') => control('-m', mode, 'stop'),
    /** Makes a standby the primary. Resolves when it takes writes. */
    promote: () => control('promote'),
  }
}

async function addStandby(primary: Cluster, folder: string): Promise<Standby> {
  const other = join(folder, 'standby')
  const { run } = primary.programs
  await primary.stop('fast')
  await run('mkdir', other)
  await run('cp', '-a', primary.data, other)
  await run('touch', join(other, 'data', 'standby.signal'))
  const standby = clusterIn(other, primary.programs)
  await primary.start(`-c synchronous_standby_names='*' -c synchronous_commit=remote_apply`)
  await standby.start(`-c primary_conninfo='host=${folder} user=${user}'`)
  return {
    folder: other,
    promote: standby.promote,
    [Symbol.asyncDispose]: () => standby.stop('immediate'),
  }
}

/**
 * Makes an empty database on the server; returns its URL. Copying files is faster than to write a
 * log of every page.
 */
export async function newDatabase(serverUrl: string): Promise<string> {
  const url = new URL(serverUrl)
  url.pathname = `/test_${randomBytes(8).toString('hex')}`
  await runOnPostgres(serverUrl, `create database ${url.pathname.slice(1)} strategy file_copy`)
  return url.href
}

/** Uses a separate connection. Returns the rows of the last statement. */
export async function runOnPostgres(url: string, text: string): Promise<Record<string, unknown>[]> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const results = await client.query(text).finally(() => client.end())
  return [results].flat().at(-1)?.rows ?? []
}

/**
 * Root's own folders are closed to that other user; then it gets a copy of the programs and all
 * they need.
 */
async function reachable(
  programs: PostgresPrograms,
  folder: string,
  run: Programs['run'],
): Promise<PostgresPrograms> {
  try {
    await run(programs.initdb, '--version')
    return programs
  } catch {
    const copy = join(folder, 'programs')
    cpSync(dirname(dirname(programs.initdb)), copy, { recursive: true, verbatimSymlinks: true })
    return { initdb: join(copy, 'bin/initdb'), pgCtl: join(copy, 'bin/pg_ctl') }
  }
}
