import { paraglideVitePlugin } from '@inlang/paraglide-js'
import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'
import { firstChunks } from './chunks.ts'
import { shortMessages } from './message-code.ts'
import { paraglideOptions } from './paraglide.ts'

export default defineConfig({
  root: import.meta.dirname,
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups: firstChunks } } } } } },
  plugins: [
    paraglideVitePlugin(paraglideOptions),
    shortMessages,
    sveltekit({
      adapter: adapter(),
      // The page without a network stands in for pages at any depth: what it needs is found from all of them.
      paths: { relative: false },
      // A page is painted by what it brings itself: style sheets would be one more way there and back, behind every script on a slow line.
      inlineStyleThreshold: 65_536,
      // Routes refuse other sites at their own door, which also knows scripts that send no Origin; hooks.server.ts guards the forms.
      csrf: { trustedOrigins: ['*'] },
      // The address of the exchange is known at run time only: hooks.server.ts adds it to connect-src.
      csp: {
        mode: 'nonce',
        directives: {
          'default-src': ['self'],
          'script-src': ['self'],
          'style-src': ['self'],
          // The one inline style there is: Kit's own, on the element that tells screen readers of a new page.
          'style-src-attr': ['unsafe-hashes', 'sha256-S8qMpvofolR8Mpjy4kQvEm7m1q8clzU4dfDH0AmvZjo='],
          'img-src': ['self', 'data:'],
          'font-src': ['self'],
          'connect-src': ['self'],
          'form-action': ['self'],
          'object-src': ['none'],
          'base-uri': ['none'],
          'frame-ancestors': ['none'],
        },
      },
    }),
  ],
})
