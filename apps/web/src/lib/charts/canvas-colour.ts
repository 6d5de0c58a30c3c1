/** Returns the colours of tokens as red, green, blue and opacity, the form that drawing libraries parse: mixed ones have others in CSS. */
export function colourOf(element: HTMLElement): (token: string) => string {
  const probe = element.appendChild(document.createElement('span'))
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  return (token) => {
    probe.style.color = `var(${token})`
    const { color } = getComputedStyle(probe)
    if (!pen) return color
    pen.clearRect(0, 0, 1, 1)
    pen.fillStyle = color
    pen.fillRect(0, 0, 1, 1)
    const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data
    return `rgba(${red}, ${green}, ${blue}, ${(alpha! / 255).toFixed(3)})`
  }
}
