import { FINDING_FORMATS } from '#lib/gitops/platform/finding-formats';

const TEXT = { type: 'string' } as const;
const list = (items: object) => ({ type: 'array', items });

/** The JSON Schema of findings as synth and lint print them with `--format json`. Later releases may add properties. */
export function findingsSchema(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `Findings of a synth or of lint, printed by --format ${FINDING_FORMATS[0]}`,
    type: 'object',
    required: ['version', 'outcome', 'findings', 'acknowledged', 'differences'],
    properties: {
      version: { const: 1, description: 'the version of this format' },
      outcome: {
        enum: ['written', 'up-to-date', 'different', 'refused', 'failed'],
        description:
          'written: all files were written; up-to-date, different: the result of --check; refused: there are errors, and nothing was written; failed: files could not be read or written',
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
        description: 'the files that differ, with --check',
      },
      unread: { ...list(UNREAD), description: 'files that lint did not read or check; absent for a synth' },
    },
  };
}

const UNREAD = {
  type: 'object',
  required: ['file', 'what', 'cause', 'why', 'fix'],
  properties: {
    file: { ...TEXT, description: 'the file or folder' },
    line: { type: 'integer', minimum: 1, description: 'the line of the document, if only a part is not read' },
    what: { enum: ['not read', 'not checked'] },
    cause: { ...TEXT, description: 'the kind of the reason, which never changes its meaning' },
    why: { ...TEXT, description: 'the reason' },
    fix: { ...TEXT, description: 'how to make lint check it' },
    reason: { ...TEXT, description: 'the detail of the reason in this place' },
    hides: { ...list(TEXT), description: 'other files with objects that are not read because of it' },
  },
};

const FINDING = {
  type: 'object',
  required: ['severity', 'code', 'path', 'alsoAt', 'what', 'why', 'fix', 'parameters'],
  properties: {
    severity: { enum: ['error', 'warning'] },
    code: {
      ...TEXT,
      description: 'the kind of the finding, which never changes its meaning: docs/reference/findings.md',
    },
    path: { ...TEXT, description: 'the path of the construct, starting with the name of the cluster' },
    alsoAt: { ...list(TEXT), description: 'the other places of the finding' },
    place: { ...TEXT, description: 'the place within the construct, if it has several: an object, or a field of it' },
    what: { ...TEXT, description: 'the mistake or the risk' },
    why: { ...TEXT, description: 'the consequence' },
    fix: { ...TEXT, description: 'the fix' },
    parameters: {
      type: 'object',
      additionalProperties: { type: ['string', 'number'] },
      description: 'the values in what, why and fix, by name',
    },
    file: {
      ...TEXT,
      description:
        'the file that the finding is about, relative to the root of the repository: where the program creates the construct, or the file that lists the cluster',
    },
    line: { type: 'integer', minimum: 1, description: 'the line in that file' },
    column: { type: 'integer', minimum: 1, description: 'the column in that line, if it is known' },
    places: {
      ...list({
        type: 'object',
        required: ['file'],
        properties: { file: TEXT, line: { type: 'integer', minimum: 1 }, column: { type: 'integer', minimum: 1 } },
      }),
      description: 'all places in files, if the finding has several, including the places of alsoAt',
    },
  },
};
