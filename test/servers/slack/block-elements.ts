/** What Slack checks in the parts of blocks that people press and fill in. */
import { isObject, textIn } from './args.ts';
import type { Json } from './model.ts';

type Fail = (at: string, what: string) => never;

const length = (element: Json, name: string, limit: number, at: string, fail: Fail): void => {
  const value = element[name];
  if (value !== undefined && (typeof value !== 'string' || value.length > limit))
    fail(`${at}/${name}`, `must be less than ${limit + 1} characters`);
};

const label = (value: unknown, limit: number, at: string, fail: Fail): void => {
  if (!isObject(value) || value['type'] !== 'plain_text' || typeof value['text'] !== 'string' || value['text'] === '')
    return fail(at, 'must be a plain_text object');
  if (value['text'].length > limit) fail(`${at}/text`, `must be less than ${limit + 1} characters`);
};

const options = (element: Json, limit: number, at: string, fail: Fail): void => {
  const list = element['options'];
  if (list === undefined && element['option_groups'] !== undefined) return;
  if (!Array.isArray(list) || list.length === 0) return fail(`${at}/options`, 'must have at least one');
  if (list.length > limit) fail(`${at}/options`, `no more than ${limit} items allowed`);
  for (const [n, one] of list.entries()) {
    if (!isObject(one) || !isObject(one['text'])) fail(`${at}/options/${n}`, 'must be an option');
    else {
      length(one['text'], 'text', 75, `${at}/options/${n}/text`, fail);
      length(one, 'value', 150, `${at}/options/${n}`, fail);
    }
  }
};

/** `fail` refuses the whole call and says where. */
export const checkElement = (element: unknown, at: string, fail: Fail): void => {
  if (!isObject(element)) return fail(at, 'must be an element');
  length(element, 'action_id', 255, at, fail);
  switch (element['type']) {
    case 'button':
      label(element['text'], 75, `${at}/text`, fail);
      length(element, 'value', 2000, at, fail);
      length(element, 'url', 3000, at, fail);
      if (element['style'] !== undefined && !['primary', 'danger'].includes(textIn(element, 'style')))
        fail(`${at}/style`, 'must be one of primary, danger');
      return;
    case 'feedback_buttons':
      for (const side of ['positive_button', 'negative_button']) {
        const button = element[side];
        if (!isObject(button)) return fail(`${at}/${side}`, `missing required field: ${side}`);
        label(button['text'], 75, `${at}/${side}/text`, fail);
        if (typeof button['value'] !== 'string' || button['value'] === '') fail(`${at}/${side}/value`, 'missing required field: value');
        length(button, 'value', 2000, `${at}/${side}`, fail);
      }
      return;
    case 'icon_button':
      label(element['text'], 75, `${at}/text`, fail);
      if (typeof element['icon'] !== 'string') fail(`${at}/icon`, 'missing required field: icon');
      return;
    case 'overflow':
      return options(element, 5, at, fail);
    case 'static_select':
    case 'multi_static_select':
      return options(element, 100, at, fail);
    case 'checkboxes':
    case 'radio_buttons':
      return options(element, 10, at, fail);
    case 'plain_text_input':
      if (typeof element['max_length'] === 'number' && element['max_length'] > 3000) fail(`${at}/max_length`, 'must be less than 3001');
      return;
    default:
      if (
        !/^(multi_)?(users|conversations|channels|external)_select$|^(date|time|datetime)picker$|_input$|^image$|^workflow_button$/.test(
          String(element['type']),
        )
      )
        fail(`${at}/type`, `unsupported element: ${String(element['type'])}`);
  }
};
