import { catalogue } from '../../../operator/api/kubernetes/catalogue';

/** The findings of names, texts and values of all kinds. */
export const KUBERNETES = catalogue({
  'credentials-in-url': {
    severity: 'error',
    what: ({ field, credentials }: { field: string; credentials: string }) => `${field} contains ${credentials}`,
    why: 'It is written to the output in Git and from there to objects of the cluster, where every reader sees it',
    fix: ({ url }: { url: string }) =>
      `write "${url}" and keep the credentials in a Secret; for Argo CD: https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup/`,
  },
});
