import { X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import { certificateTime } from '#lib/constructs/pki/trust-roots';
import { fixture } from './mesh';

// The dates that Node.js parses are the expected values.
test.each(['anchor', 'previous-anchor', 'anchor-rsa2048', 'leaf'])(
  'synth reads the validity of a certificate: %s',
  (name) => {
    const certificate = new X509Certificate(fixture(name));
    expect(certificateTime(certificate.validFrom)).toEqual(certificate.validFromDate);
    expect(certificateTime(certificate.validTo)).toEqual(certificate.validToDate);
  },
);

function printed(time: Date): string {
  const [, day = '', month, year, clock] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+) GMT$/.exec(time.toUTCString()) ?? [];
  return `${month} ${String(Number(day)).padStart(2)} ${clock} ${year} GMT`;
}

test('synth reads every time of a certificate from the year 0 to 9999', () => {
  const seconds = fc.integer({ min: Date.parse('0000-01-01T00:00:00Z') / 1000, max: Date.UTC(9999, 11, 31) / 1000 });
  fc.assert(
    fc.property(seconds, (second) => {
      const time = new Date(second * 1000);
      expect(certificateTime(printed(time))?.toISOString()).toBe(time.toISOString());
    }),
  );
});

test.each(['', 'Bad time value', 'Foo  1 00:00:00 2025 GMT', 'Jan  1 00:00:00 2025'])(
  'synth refuses the invalid time of a certificate "%s"',
  (text) => expect(certificateTime(text)).toBeUndefined(),
);
