/** The log-in, and pictures at full size. */
import { CallFailed, call } from './api.ts';
import { byId, icon } from './dom.ts';
import type { WireFile } from './wire.ts';

export const createLightbox = (): ((file: WireFile) => void) => {
  const dialog = byId('lightbox', HTMLDialogElement);
  const picture = dialog.querySelector('img');
  const caption = dialog.querySelector('p');
  dialog.querySelector('button')?.append(icon('cross'));
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog || event.target === picture) dialog.close();
  });
  return (file) => {
    if (picture !== null) {
      picture.src = file.url;
      picture.alt = file.alt || file.name;
    }
    if (caption !== null) caption.textContent = file.alt === '' ? file.name : `${file.name}: ${file.alt}`;
    dialog.showModal();
  };
};

/** Asks for the token once, however often it is called; `done` is called when the server took it. */
export const createLogin = (done: () => void): (() => void) => {
  const dialog = byId('login', HTMLDialogElement);
  const token = byId('token', HTMLInputElement);
  const error = byId('login-error', HTMLParagraphElement);
  const enter = async (): Promise<void> => {
    try {
      await call('POST', '/api/session', { token: token.value });
    } catch (cause) {
      error.textContent = cause instanceof CallFailed ? cause.message : 'That did not work.';
      error.hidden = false;
      token.select();
      return;
    }
    token.value = '';
    error.hidden = true;
    dialog.close();
    done();
  };
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  dialog.querySelector('form')?.addEventListener('submit', (event) => {
    event.preventDefault();
    void enter();
  });
  return () => {
    if (!dialog.open) dialog.showModal();
  };
};
