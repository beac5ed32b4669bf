import type {
  Reporter,
  SerializedError,
  TestCase,
  TestModule,
  TestProject,
  Vitest,
} from 'vitest/node'

/**
 * Prints the result of each file as it comes, and each failure at once. Counts the tests, and the
 * time that they used.
 */
export class ProgressReporter implements Reporter {
  passed = 0
  failed = 0
  /** The processor time of all tests. */
  processorMs = 0
  readonly #yardsticksMs: number[] = []
  readonly #tests: { name: string; ms: number }[] = []
  #vitest: Vitest | undefined

  /** Their time in yardsticks (yardstick.ts). */
  get yardsticks(): number {
    const sorted = this.#yardsticksMs.toSorted((a, b) => a - b)
    const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
    return Math.round(this.processorMs / median)
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestCaseResult(test: TestCase): void {
    const result = test.result()
    const { state, errors = [] } = result
    const name = `${test.module.relativeModuleId} > ${test.fullName}`
    if (state === 'failed') this.#fail(name, errors, test.project)
    if (state === 'passed') this.passed += 1
    if (result.state === 'skipped' && result.note) console.log(`skipped ${name}: ${result.note}`)
    this.#tests.push({ name, ms: test.diagnostic()?.duration ?? 0 })
  }

  onTestModuleEnd(module: TestModule): void {
    const { processorMs = 0, yardstickMs } = module.meta()
    this.processorMs += processorMs
    if (yardstickMs !== undefined) this.#yardsticksMs.push(yardstickMs)
    for (const part of [module, ...module.children.allSuites()]) {
      const name = 'fullName' in part ? part.fullName : part.relativeModuleId
      if (part.errors().length > 0) this.#fail(name, part.errors(), part.project)
    }
    const states = Array.from(module.children.allTests(), (test) => test.result().state)
    const count = (wanted: string) => states.filter((state) => state === wanted).length
    const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : ''
    const mark = module.state() === 'failed' ? 'FAILED' : 'ok'
    console.log(
      `${mark} ${module.relativeModuleId} (${count('passed')} passed${skipped}, ${seconds(processorMs)})`,
    )
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    for (const error of unhandled) this.#fail('outside of any test', [error])
    const slowest = this.#tests.toSorted((a, b) => b.ms - a.ms).slice(0, 10)
    console.log('\nThe ten slowest tests:')
    for (const { name, ms } of slowest) console.log(`${seconds(ms).padStart(8)}  ${name}`)
  }

  #fail(name: string, errors: readonly unknown[], project?: TestProject): void {
    this.failed += 1
    console.log(`\nFAILED ${name}`)
    for (const error of errors) this.#vitest?.logger.printError(error, project && { project })
  }
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
