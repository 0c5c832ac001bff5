/** Calls of the server. A call that fails throws a `CallFailed` with words for the person. */
export class CallFailed extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'CallFailed';
    this.status = status;
    this.code = code;
  }
  /** Whether the same call may well succeed a little later. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

let onLogin = (): void => {};
/** What to do when the server wants the token. */
export const whenLoginNeeded = (act: () => void): void => {
  onLogin = act;
};

// The server is our own and its forms are checked by its tests, so what it sends is taken to be of the type that the caller names.
const read = <T>(text: string): T => JSON.parse(text === '' ? 'null' : text); // oxlint-disable-line typescript/no-unsafe-return, typescript/no-unnecessary-type-parameters

const failed = (status: number, text: string): CallFailed => {
  let error = { code: 'unreadable', message: `The server answered with ${status}.` };
  try {
    error = read<{ error: typeof error }>(text).error ?? error;
  } catch {
    // A proxy's own page; the status says what there is to say.
  }
  if (status === 401 && error.code === 'login-needed') onLogin();
  return new CallFailed(status, error.code, error.message);
};

/** What a failed call has to say to the person. */
export const wordsOf = (cause: unknown): string => (cause instanceof CallFailed ? cause.message : 'Something went wrong on this page.');

const offline = (): CallFailed => new CallFailed(0, 'offline', 'The server cannot be reached right now.');

export const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    text = await response.text();
  } catch {
    throw offline();
  }
  if (!response.ok) throw failed(response.status, text);
  return read<T>(text);
};

/** A message with its files. */
export const toForm = (fields: { text: string; author: string; key: string }, files: readonly File[]): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const file of files) form.append('files', file, file.name || 'pasted.png');
  return form;
};

/** Sends a form; `progress` is told the share that is sent, 0 to 1. */
export const upload = <T>(path: string, form: FormData, progress: (share: number) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.upload.addEventListener('progress', (event) => progress(event.lengthComputable ? event.loaded / event.total : 0));
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300) resolve(read<T>(request.responseText));
      else reject(failed(request.status, request.responseText));
    });
    request.addEventListener('error', () => reject(offline()));
    request.send(form);
  });

/** A new unguessable id; `crypto.randomUUID` is not there on plain HTTP under another name than localhost. */
export const newId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
};
