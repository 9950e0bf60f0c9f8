/** An exception of the node that its servlets print: `{"Error":"class <class> : <text>"}`. */
export class JavaError extends Error {
  override readonly name = "JavaError";
  readonly javaClass: string;

  constructor(javaClass: string, message: string) {
    super(message);
    this.javaClass = javaClass;
  }
}

const VALIDATE_EXCEPTION = "org.tron.core.exception.ContractValidateException";
export const PARSE_EXCEPTION = "org.tron.core.services.http.JsonFormat$ParseException";
const FASTJSON_EXCEPTION = "com.alibaba.fastjson.JSONException";
const HEX_EXCEPTION = "org.bouncycastle.util.encoders.DecoderException";

export function validateException(message: string): JavaError {
  return new JavaError(VALIDATE_EXCEPTION, message);
}

export function badItem(message: string): JavaError {
  return new JavaError("org.tron.core.exception.BadItemException", message);
}

export function parseException(message: string): JavaError {
  return new JavaError(PARSE_EXCEPTION, message);
}

export function fastjsonException(message: string): JavaError {
  return new JavaError(FASTJSON_EXCEPTION, message);
}

/** What the node's hex decoder says of text that is no hex. */
export function hexException(message: string): JavaError {
  return new JavaError(HEX_EXCEPTION, message);
}

export function arithmeticException(message: string): JavaError {
  return new JavaError("java.lang.ArithmeticException", message);
}

/** The text depends on the JVM; only the class is the same everywhere. */
export function nullPointerException(message: string): JavaError {
  return new JavaError("java.lang.NullPointerException", message);
}

export function numberFormatException(message: string): JavaError {
  return new JavaError("java.lang.NumberFormatException", message);
}

export function bodyTooBig(limit: number): JavaError {
  return new JavaError("java.lang.Exception", `body size is too big, the limit is ${limit}`);
}
