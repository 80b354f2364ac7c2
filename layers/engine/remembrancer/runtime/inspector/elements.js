/** Creates elements. Text is only ever text: strings become text nodes, and nothing is parsed as markup. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | boolean | any[]} Child */
/** @typedef {Record<string, any>} Attributes `on` holds listeners, `style` custom properties and lengths. */

/**
 * An HTML element with attributes and children; false, null and undefined are left out.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes | null} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes, ...children) {
  return /** @type {any} */ (filled(document.createElement(name), attributes ?? {}, children));
}

/**
 * An SVG element.
 * @param {string} name
 * @param {Attributes | null} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function drawing(name, attributes, ...children) {
  return /** @type {any} */ (filled(document.createElementNS(SVG, name), attributes ?? {}, children));
}

/**
 * Replaces what an element contains.
 * @param {Element} parent
 * @param {...Child} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren(...nodes(children));
}

/**
 * A button; `name` is its accessible name if the label alone does not say enough.
 * @param {string} label
 * @param {(event: Event) => void} act
 * @param {Attributes} [attributes]
 */
export function button(label, act, attributes = {}) {
  return element("button", { type: "button", ...attributes, on: { click: act } }, label);
}

/**
 * A labelled control.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [hint]
 */
export function labelled(label, control, hint) {
  return element("label", { class: "field" }, element("span", { class: "label" }, label), control, hint && element("small", null, hint));
}

/**
 * A select with these values and labels.
 * @param {Array<[string, string]>} options
 * @param {Attributes} [attributes]
 */
export function choices(options, attributes = {}) {
  return element("select", attributes, options.map(([value, label]) => element("option", { value }, label)));
}

/**
 * A heading with what belongs beside it.
 * @param {string} title
 * @param {...Child} beside
 */
export function heading(title, ...beside) {
  return element("div", { class: "heading" }, element("h2", null, title), beside);
}

/**
 * A short marked word.
 * @param {Child} text
 * @param {string} [kind]
 * @param {Attributes} [attributes]
 */
export function chip(text, kind = "", attributes = {}) {
  return element("span", { class: `chip ${kind}`, ...attributes }, text);
}

/**
 * @param {Element} target
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function filled(target, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) target.addEventListener(event, /** @type {any} */ (listener));
    } else if (name === "style") {
      for (const [property, text] of Object.entries(value)) /** @type {any} */ (target).style.setProperty(property, String(text));
    } else {
      target.setAttribute(name, value === true ? "" : String(value));
    }
  }
  target.append(...nodes(children));
  return target;
}

/**
 * @param {Child[]} children
 * @returns {Node[]}
 */
function nodes(children) {
  return children.flat(9).filter((child) => child || child === 0).map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
}
