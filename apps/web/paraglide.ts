import { join } from 'node:path'
import type { CompilerOptions } from '@inlang/paraglide-js'

/**
 * How messages become functions: for the build, and for types and tests before it. Which language a page
 * has is not Paraglide's to find out: src/hooks.server.ts decides it, and the browser reads it off the page. Paths are absolute: Vite's root is not everybody's folder.
 */
export const paraglideOptions: CompilerOptions = {
  project: join(import.meta.dirname, 'project.inlang'),
  outdir: join(import.meta.dirname, 'src/lib/paraglide'),
  strategy: ['baseLocale'],
  isServer: 'import.meta.env.SSR',
  emitReadme: false,
  emitPrettierIgnore: false,
}
