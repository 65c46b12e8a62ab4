import { type Finding, shownPlace } from '#base/findings/finding';
import { printableLine, printableText } from '#base/findings/printable-text';
import { headline, sentence } from '#base/findings/problem';
import { redact } from '#base/findings/redaction';
import { grouped } from '#base/grouped';

/**
 * Formats findings as test results of JUnit: a suite for each file with findings, a case for each finding. A report
 * without findings has one case, because readers refuse reports without cases.
 */
export function junitText(findings: readonly Finding[], isStrict: boolean): string {
  const suites = [...grouped(findings.map((finding) => [finding.source?.file ?? '', finding]))];
  const all =
    suites.length === 0
      ? [suite('', [element('testcase', NAMED)], 0)]
      : suites.map(([file, ofFile]) => {
          const failures = ofFile.filter((finding) => isFailure(finding, isStrict)).length;
          return suite(
            file,
            ofFile.map((finding) => caseOf(finding, isStrict)),
            failures,
          );
        });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: 'cdk8s-linkerd lint' }, all)}`;
}

const NAMED = { name: 'no findings', classname: 'cdk8s-linkerd lint' };

function suite(name: string, cases: readonly string[], failures: number): string {
  return element('testsuite', { name, tests: cases.length, failures }, cases);
}

function caseOf(finding: Finding, isStrict: boolean): string {
  const { path, source, problem, severity } = finding;
  const place = source === undefined ? '' : `${shownPlace(source)}: `;
  const message = printableLine(`${place}${severity}: ${sentence(headline(problem))}`);
  const text = [message, printableLine(sentence(problem.why)), printableLine(`Fix: ${sentence(problem.fix)}`)].join(
    '\n',
  );
  const body = isFailure(finding, isStrict)
    ? element('failure', { type: problem.code, message }, text)
    : element('system-out', {}, text);
  return element('testcase', { name: problem.code, classname: path }, [body]);
}

function isFailure({ severity }: Finding, isStrict: boolean): boolean {
  return isStrict || severity === 'error';
}

function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: string | readonly string[] = [],
): string {
  const given = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(`${value}`).replaceAll('\n', '&#10;')}"`,
  );
  const inner = typeof content === 'string' ? escaped(content) : content.length === 0 ? '' : `\n${content.join('')}`;
  return inner === '' ? `<${name}${given.join('')}/>\n` : `<${name}${given.join('')}>${inner}</${name}>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** XML 1.0 cannot represent most control characters. */
function escaped(text: string): string {
  return printableText(redact(text).toWellFormed())
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
