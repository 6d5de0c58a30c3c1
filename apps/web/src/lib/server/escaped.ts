/** Escapes a text for HTML and XML, in content and attributes. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`)
