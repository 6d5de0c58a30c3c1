import type { LaunchOptions } from '@playwright/test'
import chromium from '@sparticuz/chromium'

/**
 * Flags of the package that a browser on a machine of its own does not need: they trade stability for starting in a sandbox, or draw through
 * an emulated graphics card, which takes a quarter of a journey's time.
 */
const NOT_HERE =
  /^--(single-process|no-zygote|disable-site-isolation-trials|disable-web-security|allow-running-insecure-content|in-process-gpu|use-gl|use-angle|enable-unsafe-swiftshader|ignore-gpu-blocklist)/

/** How tests start the browser that comes with the packages; nothing has to be installed on the machine. */
export const launchOptions = async (): Promise<LaunchOptions> => ({
  executablePath: await chromium.executablePath(),
  args: [...chromium.args.filter((flag) => !NOT_HERE.test(flag)), '--disable-gpu'],
})
