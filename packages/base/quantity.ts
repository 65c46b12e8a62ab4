const QUANTITY = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?\d+))?$/;
const BINARY: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

/**
 * Returns the value of a Kubernetes quantity; undefined if Kubernetes refuses the text (k8s.io/apimachinery,
 * pkg/api/resource, ParseQuantity).
 */
export function quantityOf(text: string): number | undefined {
  const [match, digits = '', binary, decimal, exponent] = QUANTITY.exec(text) ?? [];
  if (match === undefined) return undefined;
  if (binary !== undefined) return Number(digits) * 2 ** (BINARY[binary] ?? 0);
  // Parsed as one decimal number, so that 300m and 0.3 give the same value.
  return Number(`${digits}e${exponent ?? DECIMAL[decimal ?? ''] ?? 0}`);
}
