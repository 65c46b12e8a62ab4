import { satisfies } from '#helm/functions/semver';
import { readStrictVersion, readVersion, versionText } from '#helm/functions/version';
import { UNLIMITED } from '#helm/go/budget';

describe('satisfies', () => {
  test.each([
    ['>=1.22.0-0', '1.29.4-gke.1043', true],
    ['>=1.22.0', '1.29.4-gke.1043', false],
    ['^1.2', '1.9.0', true],
    ['~1.2', '1.3.0', false],
    ['1.x || >=3', '3.1.0', true],
    ['1.2 - 1.4.5', '1.4.5', true],
    ['*', '0.0.1', true],
    ['>11', '11.9.0', false],
  ])('returns for the constraint %s and the version %s: %s', (constraint, version, expected) => {
    expect(satisfies(constraint, version, UNLIMITED)).toBe(expected);
  });

  test('refuses an invalid constraint and an invalid version', () => {
    expect(() => satisfies('', '1.0.0', UNLIMITED)).toThrow('improper constraint: ');
    expect(() => satisfies('>=', '1.0.0', UNLIMITED)).toThrow('improper constraint: >=');
    expect(() => satisfies('>=1', 'latest', UNLIMITED)).toThrow('invalid semantic version');
  });
});

describe('the reader of versions', () => {
  test('accepts a loose version that lacks numbers and starts with v', () => {
    expect(versionText(readVersion('v1.2'))).toBe('1.2.0');
  });

  test.each(['v1.2.3', '1.2', '01.2.3', '', '1.2.3-01'])('refuses %j as a strict version', (text) => {
    expect(() => readStrictVersion(text)).toThrow();
  });

  test('keeps the prerelease and metadata of a strict version', () => {
    expect(versionText(readStrictVersion('1.2.3-rc.1+build.5'))).toBe('1.2.3-rc.1+build.5');
  });
});
