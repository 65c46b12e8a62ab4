import { FINDING_FORMATS } from '../../lib/gitops/platform/finding-formats';

const TEXT = { type: 'string' } as const;
const list = (items: object) => ({ type: 'array', items });

/** The JSON Schema of what a program with a Platform prints with `--format json`. Later releases may add properties. */
export function findingsSchema(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `Findings of a synthesis, printed by --format ${FINDING_FORMATS[0]}`,
    type: 'object',
    required: ['version', 'outcome', 'findings', 'acknowledged', 'differences'],
    properties: {
      version: { const: 1, description: 'the version of this shape' },
      outcome: {
        enum: ['written', 'up-to-date', 'different', 'refused', 'failed'],
        description:
          'written: all files were written; up-to-date, different: what --check found; refused: there are errors, and nothing was written; failed: files could not be read or written',
      },
      message: { ...TEXT, description: 'the reason, if the outcome is failed' },
      findings: list(FINDING),
      acknowledged: {
        type: 'integer',
        minimum: 0,
        description: 'the number of acknowledged warnings, which are not listed',
      },
      differences: {
        ...list({
          type: 'object',
          required: ['path', 'difference'],
          properties: { path: { ...TEXT, description: 'the path in the output folder' }, difference: TEXT },
        }),
        description: 'the files that --check found to differ',
      },
    },
  };
}

const FINDING = {
  type: 'object',
  required: ['severity', 'code', 'path', 'alsoAt', 'what', 'why', 'fix', 'parameters'],
  properties: {
    severity: { enum: ['error', 'warning'] },
    code: { ...TEXT, description: 'the kind of the finding, which never changes its meaning: docs/findings.md' },
    path: { ...TEXT, description: 'the path of the construct, beginning with the name of the cluster' },
    alsoAt: { ...list(TEXT), description: 'the other places of an equal finding' },
    place: { ...TEXT, description: 'the place within the construct, where there are several: an object, or its field' },
    what: { ...TEXT, description: 'the mistake or the risk' },
    why: { ...TEXT, description: 'the consequence' },
    fix: { ...TEXT, description: 'the remedy' },
    parameters: {
      type: 'object',
      additionalProperties: { type: ['string', 'number'] },
      description: 'the values in the three texts, by name',
    },
    file: {
      ...TEXT,
      description:
        'the file that the finding is about, from the root of the repository: the program, or the file that lists the cluster',
    },
    line: { type: 'integer', minimum: 1, description: 'the line in that file' },
  },
};
