/** Between these, whole numbers are integers to Go; all others are floating-point numbers. */
const INTEGERS = { min: -(2 ** 63), end: 2 ** 64 };

/** Powers of ten that Go prints without an exponent (strconv.FormatFloat with format `g`). */
const PLAIN_POWERS = { min: -4, end: 6 };

/** A number as go-yaml prints it. */
export function helmNumber(value: number): string {
  if (Number.isInteger(value) && value > INTEGERS.min && value < INTEGERS.end) return `${value}`;
  const [digits, exponent] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= PLAIN_POWERS.min && power < PLAIN_POWERS.end) return `${value}`;
  return `${digits}e${power < 0 ? '-' : '+'}${`${Math.abs(power)}`.padStart(2, '0')}`;
}
