import { parseAllDocuments } from 'yaml';
import { HELM_YAML } from '../../../operator/api/kubernetes/values-document';
import { isMap, type Value, type Values } from '../../kubernetes/values';

/**
 * The map that a text is, as YAML or JSON; undefined for others, for several documents, and where it has itself in it.
 * What a template engine makes YAML of often is YAML before, with odd keys, so that nobody is warned of these.
 */
export function embeddedMap(text: string): Values | undefined {
  try {
    const documents = parseAllDocuments(text, { ...HELM_YAML, prettyErrors: false, logLevel: 'error' });
    const [document, second] = Array.isArray(documents) ? documents : [];
    if (document === undefined || second !== undefined || document.errors.length > 0) return undefined;
    const content: Value = JSON.parse(JSON.stringify(document.toJS()) ?? 'null');
    return isMap(content) && Object.keys(content).length > 0 ? content : undefined;
  } catch {
    return undefined;
  }
}
