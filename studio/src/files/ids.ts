// Names that nobody else has. `crypto.randomUUID` is there only on hosts with a certificate.

export const newId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
