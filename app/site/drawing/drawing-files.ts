import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The most pixels of a drawing. A page of A4, 900 pixels wide, has 1.1 million. */
export const maxPixels = 4_000_000

/** The files that guides and pictures are drawn with. */
export interface DrawingFiles {
  /** TrueType, one weight each. */
  readonly fonts: readonly Uint8Array[]
  /** The template of the guide, for Typst. */
  readonly template: string
  /** Reads a tool that is WebAssembly. */
  readWasm(tool: DrawingTool): Uint8Array
}

export type DrawingTool = keyof typeof wasmFiles

/** In their packages. */
const wasmFiles = {
  typst: '@myriaddreamin/typst-ts-web-compiler/wasm',
  resvg: '@resvg/resvg-wasm/index_bg.wasm',
  pdfium: '@hyzyla/pdfium/pdfium.wasm',
} as const

export const drawingTools: readonly DrawingTool[] = ['typst', 'resvg', 'pdfium']

/**
 * `folder`: what the build wrote for it. A release has the tools there, a clone has their packages.
 */
export function readDrawingFiles(folder: string): DrawingFiles {
  const fonts = join(folder, 'fonts')
  return {
    fonts: readdirSync(fonts).map((name) => readFileSync(join(fonts, name))),
    template: readFileSync(join(folder, 'setup-guide.typ'), 'utf8'),
    readWasm(tool) {
      const released = join(folder, `${tool}.wasm`)
      return readFileSync(existsSync(released) ? released : installedWasm(tool))
    },
  }
}

/** The path of a tool in its package. */
export function installedWasm(tool: DrawingTool): string {
  return createRequire(import.meta.url).resolve(wasmFiles[tool])
}
