import type { RequestHandler } from './$types'

/** Web app manifest with the operator's name, colours and icons. */
export const GET: RequestHandler = ({ locals: { brand } }) => {
  const { name, description, icons, colours } = brand
  const drawn = [
    { src: icons.small, sizes: '192x192', type: 'image/png' },
    { src: icons.large, sizes: '512x512', type: 'image/png' },
  ].filter(({ src }) => src !== '')
  const manifest = {
    ...{
      id: '/',
      name,
      short_name: [...name].slice(0, 32).join('').trim(),
      description,
      start_url: '/',
      scope: '/',
      display: 'standalone',
    },
    theme_color: colours.light,
    background_color: colours.background,
    icons: drawn.length > 0 ? drawn : [{ src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' }],
  }
  return new Response(JSON.stringify(manifest), {
    headers: { 'content-type': 'application/manifest+json; charset=utf-8', 'cache-control': 'public, max-age=300' },
  })
}
