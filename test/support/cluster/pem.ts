/** Encodes a certificate, key or request as PEM. */
export function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/** The contents of all blocks with a label, such as `CERTIFICATE`. */
export function pemBlocks(text: string, label = 'CERTIFICATE'): Buffer[] {
  const block = new RegExp(`-----BEGIN ${label}-----([\\s\\S]*?)-----END ${label}-----`, 'g');
  return [...text.matchAll(block)].map(([, content = '']) => Buffer.from(content, 'base64'));
}
