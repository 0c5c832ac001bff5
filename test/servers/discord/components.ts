/** The rules for buttons, menus and the newer layout parts of a message, and for what stands in a modal. */
import { ComponentType as C } from './numbers.ts';
import { isObject, listIn, numberIn, textIn } from './json.ts';
import type { Json } from './model.ts';
import { badChoice, badLength, invalidForm, required, tooLong } from './rest-fault.ts';
import type { Problem } from './rest-fault.ts';

const SELECTS: readonly number[] = [C.StringSelect, C.UserSelect, C.RoleSelect, C.MentionableSelect, C.ChannelSelect];
const LAYOUT: readonly number[] = [C.Section, C.TextDisplay, C.MediaGallery, C.File, C.Separator, C.Container];

/** Every part at any depth, with its place in the body. */
const everyPart = (parts: readonly unknown[], at: string): readonly { readonly part: Json; readonly at: string }[] =>
  parts.flatMap((part, n) => {
    if (!isObject(part)) return [];
    const here = `${at}.${n}`;
    const accessory = isObject(part['accessory']) ? [{ part: part['accessory'], at: `${here}.accessory` }] : [];
    const label = isObject(part['component']) ? [{ part: part['component'], at: `${here}.component` }] : [];
    return [{ part, at: here }, ...accessory, ...label, ...everyPart(listIn(part, 'components'), `${here}.components`)];
  });

const buttonProblems = (part: Json, at: string): readonly Problem[] => {
  const style = numberIn(part, 'style', -1);
  if (style < 1 || style > 6) return [badChoice(`${at}.style`, [1, 2, 3, 4, 5, 6])];
  const label = textIn(part, 'label');
  const [url, id] = [textIn(part, 'url'), textIn(part, 'custom_id')];
  return [
    ...(label.length > 80 ? [tooLong(`${at}.label`, 80)] : []),
    ...(label === '' && !isObject(part['emoji']) && style !== 6
      ? [{ at, code: 'BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED', message: 'A button requires a label or an emoji' }]
      : []),
    ...(style === 5 && url === '' ? [{ at, code: 'BUTTON_COMPONENT_URL_REQUIRED', message: 'A url is required' }] : []),
    ...(style < 5 && id === '' ? [{ at, code: 'BUTTON_COMPONENT_CUSTOM_ID_REQUIRED', message: 'A custom id is required' }] : []),
    ...(style === 5 && id !== ''
      ? [{ at, code: 'BUTTON_COMPONENT_INVALID_URL_AND_CUSTOM_ID', message: 'A custom id and url cannot both be specified' }]
      : []),
  ];
};

const selectProblems = (part: Json, at: string): readonly Problem[] => {
  const options = listIn(part, 'options');
  return [
    ...(textIn(part, 'custom_id') === '' ? [required(`${at}.custom_id`)] : []),
    ...(part['type'] === C.StringSelect && (options.length === 0 || options.length > 25) ? [badLength(`${at}.options`, 1, 25)] : []),
    ...options.flatMap((option, n) => [
      ...(textIn(option, 'label') === '' || textIn(option, 'label').length > 100 ? [badLength(`${at}.options.${n}.label`, 1, 100)] : []),
      ...(textIn(option, 'value') === '' || textIn(option, 'value').length > 100 ? [badLength(`${at}.options.${n}.value`, 1, 100)] : []),
    ]),
  ];
};

const partProblems = (part: Json, at: string): readonly Problem[] => {
  const type = numberIn(part, 'type', -1);
  const id = textIn(part, 'custom_id');
  const tooLongId = id.length > 100 ? [badLength(`${at}.custom_id`, 1, 100)] : [];
  if (type === C.ActionRow) {
    const inner = listIn(part, 'components');
    const selects = inner.filter((one) => SELECTS.includes(numberIn(one, 'type'))).length;
    if (inner.length === 0 || inner.length > 5 || (selects > 0 && inner.length > 1)) return [badLength(`${at}.components`, 1, 5)];
    return [];
  }
  if (type === C.Button) return [...tooLongId, ...buttonProblems(part, at)];
  if (SELECTS.includes(type)) return [...tooLongId, ...selectProblems(part, at)];
  if (type === C.TextDisplay) return textIn(part, 'content') === '' ? [required(`${at}.content`)] : [];
  return tooLongId;
};

/** Two parts must not have the same `custom_id`. */
const repeated = (parts: readonly { readonly part: Json; readonly at: string }[]): readonly Problem[] => {
  const seen = new Set<string>();
  return parts.flatMap(({ part, at }) => {
    const id = textIn(part, 'custom_id');
    if (id === '') return [];
    if (seen.has(id))
      return [{ at: `${at}.custom_id`, code: 'COMPONENT_CUSTOM_ID_DUPLICATED', message: 'Component custom id cannot be duplicated' }];
    seen.add(id);
    return [];
  });
};

/** What is wrong with a message's components; `layout` where the message is written with the newer parts alone (Components V2). */
export const componentProblems = (components: readonly unknown[], layout: boolean): readonly Problem[] => {
  const parts = everyPart(components, 'components');
  const problems = [...parts.flatMap(({ part, at }) => partProblems(part, at)), ...repeated(parts)];
  if (!layout) {
    if (components.length > 5) problems.push(badLength('components', 1, 5));
    components.forEach((one, n) => {
      if (!isObject(one) || one['type'] !== C.ActionRow)
        problems.push(
          isObject(one) && LAYOUT.includes(numberIn(one, 'type'))
            ? { at: `components.${n}`, code: 'UNION_TYPE_CHOICES', message: 'Value of field "type" must be one of (1,).' }
            : badChoice(`components.${n}.type`, [1]),
        );
    });
    return problems;
  }
  if (parts.length > 40)
    problems.push({ at: 'components', code: 'COMPONENT_MAX_COUNT', message: 'The total number of components must be 40 or fewer' });
  const words = parts.reduce((sum, { part }) => sum + (part['type'] === C.TextDisplay ? textIn(part, 'content').length : 0), 0);
  if (words > 4000)
    problems.push({
      at: 'components',
      code: 'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED',
      message: 'The total text must be 4000 or fewer in length',
    });
  return problems;
};

/** Refuses a modal that Discord would not show. */
export const checkModal = (modal: Json): void => {
  const components = listIn(modal, 'components');
  const title = textIn(modal, 'title');
  const problems: Problem[] = [
    ...(title === '' || title.length > 45 ? [badLength('data.title', 1, 45)] : []),
    ...(textIn(modal, 'custom_id') === '' || textIn(modal, 'custom_id').length > 100 ? [badLength('data.custom_id', 1, 100)] : []),
    ...(components.length === 0 || components.length > 5 ? [badLength('data.components', 1, 5)] : []),
  ];
  for (const { part, at } of everyPart(components, 'data.components')) {
    if (part['type'] === C.Button) problems.push(badChoice(`${at}.type`, [4]));
    if (part['type'] === C.Label && (textIn(part, 'label') === '' || textIn(part, 'label').length > 45))
      problems.push(badLength(`${at}.label`, 1, 45));
    if (part['type'] !== C.TextInput) continue;
    if (textIn(part, 'custom_id') === '') problems.push(required(`${at}.custom_id`));
    if (textIn(part, 'label').length > 45) problems.push(badLength(`${at}.label`, 1, 45));
    if (textIn(part, 'placeholder').length > 100) problems.push(tooLong(`${at}.placeholder`, 100));
    if (textIn(part, 'value').length > 4000) problems.push(tooLong(`${at}.value`, 4000));
  }
  if (problems.length > 0) throw invalidForm(...problems);
};
