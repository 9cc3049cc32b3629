//! Table test: from a response to the error kind and the freeze it causes.

use turnkit_core::ProviderErrorKind::{self, *};

use super::freeze::{Blame, Term};
use crate::retry_after::retry_after;
use crate::wire::{ErrorResponse, Wire};

/// Effect of a failure on its provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Freeze {
    /// No effect.
    No,
    /// The provider is frozen for this many seconds the first time.
    For(u64),
    /// The provider is frozen until it is thawed.
    UntilThawed,
    /// The model is frozen for an hour.
    Model,
}

use Freeze::{For, Model, No, UntilThawed};

/// Wire, status, `retry-after`, body, expected error kind and expected freeze.
type Row = (Wire, u16, &'static str, &'static str, ProviderErrorKind, Freeze);

const OPENAI: Wire = Wire::OpenaiChat;
const RESPONSES: Wire = Wire::OpenaiResponses;
const ANTHROPIC: Wire = Wire::Anthropic;
const GEMINI: Wire = Wire::Gemini;

#[rustfmt::skip]
const TABLE: &[Row] = &[
    // Authentication and authorisation.
    (OPENAI, 401, "", r#"{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}"#, KeyInvalid, UntilThawed),
    (OPENAI, 401, "", r#"{"error":{"message":"Your API key has expired"}}"#, KeyInvalid, UntilThawed),
    (OPENAI, 401, "", r#"{"error":{"message":"The API key was revoked"}}"#, KeyInvalid, UntilThawed),
    (OPENAI, 401, "", r#"{"error":{"message":"Unauthorized"}}"#, Auth, UntilThawed),
    (OPENAI, 401, "", "", Auth, UntilThawed),
    (OPENAI, 403, "", "", Auth, UntilThawed),
    (OPENAI, 403, "", r#"{"error":{"message":"You may not use this model"}}"#, Auth, UntilThawed),
    (RESPONSES, 401, "", r#"{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}"#, KeyInvalid, UntilThawed),
    (RESPONSES, 401, "", "no JSON", Auth, UntilThawed),
    (ANTHROPIC, 401, "", r#"{"error":{"type":"authentication_error","message":"invalid x-api-key"}}"#, KeyInvalid, UntilThawed),
    (ANTHROPIC, 401, "", r#"{"error":{"type":"authentication_error","message":"x-api-key header is required"}}"#, Auth, UntilThawed),
    (ANTHROPIC, 403, "", r#"{"error":{"type":"permission_error","message":"no"}}"#, Auth, UntilThawed),
    (GEMINI, 400, "", r#"{"error":{"message":"API key not valid. Please pass a valid API key."}}"#, KeyInvalid, UntilThawed),
    (GEMINI, 400, "", r#"{"error":{"message":"API key expired. Please renew the API key."}}"#, KeyInvalid, UntilThawed),
    (GEMINI, 401, "", "", Auth, UntilThawed),
    (GEMINI, 403, "", r#"{"error":{"message":"Permission denied"}}"#, Auth, UntilThawed),
    // Billing.
    (OPENAI, 402, "", r#"{"error":{"message":"Insufficient Balance"}}"#, Balance, UntilThawed),
    (OPENAI, 402, "", "", Balance, UntilThawed),
    (OPENAI, 403, "", r#"{"error":{"message":"Billing is not active"}}"#, Balance, UntilThawed),
    (OPENAI, 403, "", r#"{"error":{"message":"You exceeded your monthly limit"}}"#, Quota, UntilThawed),
    (OPENAI, 403, "", r#"{"error":{"message":"Quota reached"}}"#, Quota, UntilThawed),
    (OPENAI, 429, "", r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota"}}"#, Quota, UntilThawed),
    (OPENAI, 429, "", r#"{"error":{"message":"account balance is too low"}}"#, Balance, UntilThawed),
    (OPENAI, 400, "", r#"{"error":{"code":"insufficient_quota"}}"#, Quota, UntilThawed),
    (RESPONSES, 429, "", r#"{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}"#, Quota, UntilThawed),
    (ANTHROPIC, 400, "", r#"{"error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}"#, Balance, UntilThawed),
    (ANTHROPIC, 400, "", r#"{"error":{"type":"invalid_request_error","message":"You have reached your specified API usage limits."}}"#, Quota, UntilThawed),
    (ANTHROPIC, 402, "", r#"{"error":{"type":"billing_error","message":"no payment"}}"#, Balance, UntilThawed),
    (GEMINI, 403, "", r#"{"error":{"message":"This API method requires billing to be enabled."}}"#, Balance, UntilThawed),
    (GEMINI, 429, "", r#"{"error":{"message":"x","details":[{"violations":[{"quotaId":"RequestsPerDay"}]}]}}"#, Quota, UntilThawed),
    (OPENAI, 402, "", r#"{"error":{"message":"Insufficient credits. Add more using https://llm.example/credits","code":402}}"#, Balance, UntilThawed),
    // Billing errors caused by this request alone.
    (OPENAI, 402, "", r#"{"error":{"message":"This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 5000.","code":402}}"#, Unaffordable, No),
    (OPENAI, 402, "", r#"{"error":{"message":"Prompt tokens limit exceeded: 21000 > 5000. To increase, upgrade to a paid account","code":402}}"#, Unaffordable, No),
    (RESPONSES, 402, "", r#"{"error":{"message":"You can only afford 5000 tokens"}}"#, Unaffordable, No),
    (ANTHROPIC, 402, "", r#"{"error":{"type":"billing_error","message":"This request requires more credits, or fewer max_tokens."}}"#, Unaffordable, No),
    (GEMINI, 402, "", r#"{"error":{"message":"You can only afford 5000 tokens"}}"#, Unaffordable, No),
    (OPENAI, 403, "", "<html><title>Attention Required!</title></html>", BadResponse, For(60)),
    (OPENAI, 403, "", "\u{feff}\r\n<!DOCTYPE html><h1>403 Forbidden</h1>", BadResponse, For(60)),
    (OPENAI, 403, "", "error code: 1020", BadResponse, For(60)),
    (RESPONSES, 403, "", "<html>Request blocked</html>", BadResponse, For(60)),
    (ANTHROPIC, 403, "", "<html>Request blocked</html>", BadResponse, For(60)),
    (GEMINI, 403, "", "<html>Request blocked</html>", BadResponse, For(60)),
    (OPENAI, 403, "", r#"{"error":{"message":"a sentence without its e"#, Auth, UntilThawed),
    (OPENAI, 403, "", "\u{feff}{}", Auth, UntilThawed),
    (OPENAI, 403, "", "\"no\"", Auth, UntilThawed),
    (OPENAI, 403, "", " ", Auth, UntilThawed),
    (OPENAI, 401, "", "<html>Who are you?</html>", Auth, UntilThawed),
    (OPENAI, 403, "", r#"{"error":{"message":"Your request was blocked because of its content"}}"#, ContentFilter, No),
    (OPENAI, 403, "", r#"{"error":{"message":"Your request was rejected as a result of our safety system."}}"#, ContentFilter, No),
    (OPENAI, 403, "", r#"{"code":"The caller does not have permission to execute the specified operation","error":"Content violates usage guidelines. Team: t, API key ID: k, Failed check: CHECK"}"#, ContentFilter, No),
    (OPENAI, 403, "", r#"{"error":{"message":"Your prompt was flagged: 'I exceeded a limit of my billing balance'"}}"#, ContentFilter, No),
    (OPENAI, 403, "", r#"{"error":{"message":"Your prompt was flagged: 'my account was blocked'"}}"#, ContentFilter, No),
    (RESPONSES, 403, "", r#"{"error":{"message":"The request contains sensitive content"}}"#, ContentFilter, No),
    (ANTHROPIC, 403, "", r#"{"error":{"type":"permission_error","message":"Blocked by the content policy"}}"#, ContentFilter, No),
    (ANTHROPIC, 403, "", r#"{"message":"The prompt was rejected"}"#, ContentFilter, No),
    (GEMINI, 403, "", r#"{"error":{"message":"The request violates the content policy"}}"#, ContentFilter, No),
    (OPENAI, 403, "", r#"{"error":{"message":"Your account was blocked: it violates the content policy"}}"#, Auth, UntilThawed),
    (OPENAI, 403, "", r#"{"error":{"message":"You may use this after you have accepted the content policy"}}"#, Auth, UntilThawed),
    (GEMINI, 403, "", r#"{"error":{"message":"Requests to this API generativelanguage.googleapis.com method GenerativeService.GenerateContent are blocked."}}"#, Auth, UntilThawed),
    (OPENAI, 401, "", r#"{"error":{"message":"Your request was blocked because of its content policy"}}"#, Auth, UntilThawed),
    // Rate limits.
    (OPENAI, 429, "", "", RateLimited, For(60)),
    (OPENAI, 429, "7", "", RateLimited, For(7)),
    (OPENAI, 429, "0", "", RateLimited, For(0)),
    (OPENAI, 429, "300", "", RateLimited, For(300)),
    (OPENAI, 429, "1000000000", "", RateLimited, For(300)),
    (OPENAI, 429, "soon", "", RateLimited, For(60)),
    (OPENAI, 429, "-5", "", RateLimited, For(60)),
    (OPENAI, 429, "Wed, 21 Oct 2015 07:28:30 GMT", "", RateLimited, For(30)),
    (OPENAI, 429, "Wed, 21 Oct 2099 07:28:30 GMT", "", RateLimited, For(300)),
    (OPENAI, 429, "", r#"{"error":{"code":"rate_limit_exceeded","type":"requests","message":"Rate limit reached. Add a payment method."}}"#, RateLimited, For(60)),
    (RESPONSES, 429, "12", r#"{"error":{"code":"rate_limit_exceeded","message":"Rate limit reached"}}"#, RateLimited, For(12)),
    (ANTHROPIC, 429, "9", r#"{"error":{"type":"rate_limit_error","message":"slow down"}}"#, RateLimited, For(9)),
    (ANTHROPIC, 429, "", "slow down", RateLimited, For(60)),
    (GEMINI, 429, "", r#"{"error":{"message":"Resource has been exhausted (e.g. check quota)."}}"#, RateLimited, For(60)),
    (GEMINI, 429, "", r#"{"error":{"message":"x","details":[{"retryDelay":"34s"}]}}"#, RateLimited, For(34)),
    // Errors called a quota, which may be rate limits.
    (OPENAI, 429, "20", r#"{"error":{"message":"You exceeded your current quota, please check your plan and billing details."}}"#, RateLimited, For(20)),
    (OPENAI, 429, "20", r#"{"error":{"code":"insufficient_quota","message":"Allocated quota exceeded"}}"#, RateLimited, For(20)),
    (OPENAI, 429, "1000000", r#"{"error":{"code":"insufficient_quota"}}"#, RateLimited, For(300)),
    (OPENAI, 429, "20", r#"{"error":{"message":"You have used up this minute. Add a payment method for more."}}"#, RateLimited, For(20)),
    (OPENAI, 429, "0", r#"{"error":{"code":"insufficient_quota"}}"#, Quota, UntilThawed),
    (OPENAI, 429, "soon", r#"{"error":{"code":"insufficient_quota"}}"#, Quota, UntilThawed),
    (OPENAI, 429, "", r#"{"error":{"message":"You exceeded your current quota. Please retry in 26.45s."}}"#, RateLimited, For(26)),
    (OPENAI, 429, "", r#"{"error":{"message":"You exceeded your current quota. Please try again in 1m30s."}}"#, RateLimited, For(90)),
    (OPENAI, 429, "", r#"{"error":{"message":"You exceeded your current quota. Please retry shortly."}}"#, Quota, UntilThawed),
    (OPENAI, 429, "", r#"[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED","details":[{"violations":[{"quotaId":"GenerateRequestsPerMinutePerProject"}]},{"retryDelay":"26s"}]}}]"#, RateLimited, For(26)),
    (OPENAI, 429, "", r#"[{"error":{"code":429,"message":"You exceeded your current quota.","details":[{"violations":[{"quotaId":"GenerateRequestsPerDayPerProject"}]},{"retryDelay":"26s"}]}}]"#, Quota, UntilThawed),
    (OPENAI, 429, "", r#"{"error":{"message":"You exceeded your current quota, please check your plan and billing details.\n* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_input_token_count, limit: 250000\nPlease retry in 26.451s.","status":"RESOURCE_EXHAUSTED"}}"#, RateLimited, For(26)),
    (OPENAI, 429, "", r#"{"error":{"message":"You exceeded your current quota.","details":"Please see the billing page"}}"#, Quota, UntilThawed),
    (OPENAI, 429, "", r#"{"error":{"code":"rate_limit_exceeded","type":"tokens","message":"Rate limit reached. Please try again in 7m12.5s."}}"#, RateLimited, For(300)),
    (OPENAI, 429, "", r#"{"error":{"message":"You have exceeded the call rate limit of your tier. Please retry after 20 seconds."}}"#, RateLimited, For(20)),
    (OPENAI, 403, "30", r#"{"error":{"message":"You exceeded a secondary rate limit"}}"#, RateLimited, For(30)),
    (RESPONSES, 429, "20", r#"{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}"#, RateLimited, For(20)),
    (OPENAI, 400, "", r#"{"error":{"message":"messages[3]: 'please retry in 5s' is no text part"}}"#, BadRequest, No),
    // Availability.
    (OPENAI, 408, "", "", Overloaded, For(300)),
    (OPENAI, 409, "", "", Overloaded, For(300)),
    (OPENAI, 425, "", "", Overloaded, For(300)),
    (OPENAI, 429, "", r#"{"error":{"code":"engine_overloaded","message":"busy"}}"#, Overloaded, For(300)),
    (OPENAI, 500, "", "", Overloaded, For(300)),
    (OPENAI, 500, "", r#"{"error":{"message":"The server had an error"}}"#, Overloaded, For(300)),
    (OPENAI, 502, "", "<html>Bad Gateway</html>", Overloaded, For(300)),
    (OPENAI, 503, "", "", Overloaded, For(300)),
    (OPENAI, 503, "20", "", Overloaded, For(20)),
    (OPENAI, 504, "", "", Overloaded, For(300)),
    (OPENAI, 520, "", "", Overloaded, For(300)),
    (OPENAI, 529, "", r#"{"error":{"type":"overloaded_error"}}"#, Overloaded, For(300)),
    (RESPONSES, 500, "", r#"{"error":{"code":"server_error","message":"sorry"}}"#, Overloaded, For(300)),
    (ANTHROPIC, 500, "", r#"{"error":{"type":"api_error","message":"Internal server error"}}"#, Overloaded, For(300)),
    (ANTHROPIC, 529, "", r#"{"error":{"type":"overloaded_error","message":"Overloaded"}}"#, Overloaded, For(300)),
    (ANTHROPIC, 504, "", r#"{"error":{"type":"timeout_error","message":"late"}}"#, Overloaded, For(300)),
    (GEMINI, 499, "", "", Overloaded, For(300)),
    (GEMINI, 500, "", r#"{"error":{"message":"An internal error has occurred."}}"#, Overloaded, For(300)),
    (GEMINI, 503, "", r#"{"error":{"message":"The model is overloaded."}}"#, Overloaded, For(300)),
    // Responses that do not come from an API.
    (OPENAI, 301, "", "", BadResponse, For(60)),
    (OPENAI, 302, "", "<html>Found</html>", BadResponse, For(60)),
    (OPENAI, 600, "", "", BadResponse, For(60)),
    (OPENAI, 400, "", r#"{"error":{"code":"tool_use_failed","message":"Failed to call a function."}}"#, MalformedCall, No),
    (ANTHROPIC, 301, "", "", BadResponse, For(60)),
    // Missing models.
    (OPENAI, 404, "", r#"{"error":{"code":"model_not_found","message":"no access"}}"#, ModelNotFound, Model),
    (OPENAI, 404, "", r#"{"error":{"code":"DeploymentNotFound","message":"The API deployment does not exist."}}"#, ModelNotFound, Model),
    (OPENAI, 400, "", r#"{"error":{"message":"The model `x` does not exist"}}"#, ModelNotFound, Model),
    (RESPONSES, 404, "", r#"{"error":{"code":"model_not_found","message":"The model `x` does not exist"}}"#, ModelNotFound, Model),
    (ANTHROPIC, 404, "", r#"{"error":{"type":"not_found_error","message":"model: x"}}"#, ModelNotFound, Model),
    (GEMINI, 404, "", r#"{"error":{"message":"models/x is not found for API version v1beta"}}"#, ModelNotFound, Model),
    (OPENAI, 404, "", r#"{"error":{"message":"model \"x\" not found, try pulling it first"}}"#, ModelNotFound, Model),
    (OPENAI, 400, "", r#"{"error":{"message":"No such model: x"}}"#, ModelNotFound, Model),
    (OPENAI, 400, "", r#"{"error":{"message":"x is not a valid model ID"}}"#, ModelNotFound, Model),
    (OPENAI, 404, "", r#"{"error":{"message":"The requested model 'x' does not exist.","param":"model"}}"#, ModelNotFound, Model),
    (OPENAI, 404, "", r#"{"error":{"message":"This is not a chat model and thus not supported here.","param":"model"}}"#, ModelNotFound, Model),
    (OPENAI, 404, "", r#"{"error":"model 'x' not found"}"#, ModelNotFound, Model),
    (OPENAI, 404, "", r#"{"code":"Some requested entity was not found","error":"The model x does not exist or your team does not have access to it."}"#, ModelNotFound, Model),
    (OPENAI, 404, "", r#"{"object":"error","message":"The model `x` does not exist.","type":"NotFoundError","code":404}"#, ModelNotFound, Model),
    (OPENAI, 404, "", r#"{"error":{"code":"NOT_FOUND","message":"Model not found, inaccessible, and/or not deployed"}}"#, ModelNotFound, Model),
    (OPENAI, 404, "", r#"{"error":{"code":"model_not_available","message":"Unable to access model x."}}"#, ModelNotFound, Model),
    (OPENAI, 404, "", r#"{"error":{"code":404,"message":"No endpoints found for x."}}"#, ModelNotFound, Model),
    (OPENAI, 404, "", r#"{"error":{"type":"resource_not_found_error","message":"Not found the model x or Permission denied"}}"#, ModelNotFound, Model),
    (OPENAI, 404, "", r#"[{"error":{"code":404,"message":"models/x is not found for API version v1main","status":"NOT_FOUND"}}]"#, ModelNotFound, Model),
    (OPENAI, 400, "", r#"{"object":"error","message":"Invalid model: x","type":"invalid_model","param":null,"code":"1500"}"#, ModelNotFound, Model),
    (OPENAI, 400, "", r#"{"error":{"message":"Unknown Model, please check the model code.","code":"1211"}}"#, ModelNotFound, Model),
    (OPENAI, 400, "", r#"{"error":{"message":"The requested model 'x' is not supported by any provider you have enabled.","code":"model_not_supported"}}"#, ModelNotFound, Model),
    (OPENAI, 403, "", r#"{"error":{"message":"Project `p` does not have access to model `x`","code":"model_not_found"}}"#, ModelNotFound, Model),
    (RESPONSES, 400, "", r#"{"error":{"message":"The requested model 'x' does not exist.","param":"model","code":"model_not_found"}}"#, ModelNotFound, Model),
    (ANTHROPIC, 404, "", r#"{"error":{"type":"not_found_error","message":"model 'x' not found"}}"#, ModelNotFound, Model),
    (ANTHROPIC, 404, "", r#"{"error":{"code":404,"message":"Publisher Model `projects/p/models/x` was not found.","status":"NOT_FOUND"}}"#, ModelNotFound, Model),
    (GEMINI, 404, "", r#"{"error":{"message":"Publisher Model `projects/p/models/x` was not found or your project does not have access to it."}}"#, ModelNotFound, Model),
    (GEMINI, 400, "", r#"{"error":{"message":"Publisher Model `projects/p/models/x` is not servable in region us-central1."}}"#, ModelNotFound, Model),
    (OPENAI, 404, "", r#"{"error":{"message":"Specified model not found"}}"#, ModelNotFound, Model),
    (OPENAI, 404, "", r#"{"error":"The AI model 'x' was not found."}"#, ModelNotFound, Model),
    (OPENAI, 404, "", r#"{"message":"Error: the selected model does not exist"}"#, ModelNotFound, Model),
    (OPENAI, 404, "", r#"{"error":{"message":"Could not find the requested model x."}}"#, ModelNotFound, Model),
    (RESPONSES, 404, "", r#"{"error":{"message":"Unable to locate model: x"}}"#, ModelNotFound, Model),
    (ANTHROPIC, 404, "", r#"{"error":{"type":"not_found_error","message":"Specified model not found"}}"#, ModelNotFound, Model),
    (GEMINI, 404, "", r#"{"error":{"message":"Specified model not found"}}"#, ModelNotFound, Model),
    // Other missing items, whose names may contain the word "model".
    (OPENAI, 404, "", r#"{"error":{"message":"The file of model x was not found"}}"#, BadRequest, No),
    (OPENAI, 404, "", r#"{"error":{"message":"Could not find a tool for the model"}}"#, BadRequest, No),
    (OPENAI, 404, "", r#"{"error":{"message":"The tool 'x' of the model was not found"}}"#, BadRequest, No),
    (OPENAI, 404, "", r#"{"error":{"message":"Tool 'get_model' not found"}}"#, BadRequest, No),
    (OPENAI, 404, "", r#"{"error":{"message":"Tool 'web_search' not found for model x"}}"#, BadRequest, No),
    (OPENAI, 404, "", r#"{"error":{"message":"File 'models/x.gguf' not found"}}"#, BadRequest, No),
    (OPENAI, 404, "", r#"{"error":{"message":"Invalid URL (POST /v1/models/chat/completions)"}}"#, BadRequest, No),
    (OPENAI, 404, "", r#"{"error":{"code":"deployment_missing","message":"There is no route to this deployment"}}"#, BadRequest, No),
    (OPENAI, 404, "", r#"{"detail":"Not Found: /v1/model"}"#, BadRequest, No),
    (OPENAI, 404, "", r#"{"error":{"message":"Previous response 'resp_model' not found.","param":"previous_response_id"}}"#, BadRequest, No),
    (OPENAI, 404, "", "no model is served under this path", BadRequest, No),
    (RESPONSES, 404, "", r#"{"error":{"message":"Item 'rs_1' of the model's reasoning not found.","param":"input"}}"#, BadRequest, No),
    (ANTHROPIC, 404, "", r#"{"error":{"type":"not_found_error","message":"Tool 'get_model' not found"}}"#, BadRequest, No),
    (ANTHROPIC, 404, "", r#"{"error":{"type":"not_found_error","message":"File models.txt not found"}}"#, BadRequest, No),
    (GEMINI, 404, "", r#"{"error":{"message":"CachedContent not found (or permission denied) for the model"}}"#, BadRequest, No),
    (GEMINI, 404, "", r#"{"error":{"message":"The requested URL /v1beta/model was not found"}}"#, BadRequest, No),
    // Missing capabilities of the model.
    (OPENAI, 400, "", r#"{"error":{"message":"registry.ollama.ai/library/x does not support tools"}}"#, ToolsUnsupported, No),
    (OPENAI, 404, "", r#"{"error":{"message":"No endpoints found that support tool use. Try another model."}}"#, ToolsUnsupported, No),
    (OPENAI, 400, "", r#"{"error":{"message":"Unrecognized request argument supplied: tools"}}"#, ToolsUnsupported, No),
    (OPENAI, 500, "", r#"{"error":{"message":"tools param requires --jinja flag"}}"#, ToolsUnsupported, No),
    (GEMINI, 400, "", r#"{"error":{"message":"Function calling is not enabled for models/x"}}"#, ToolsUnsupported, No),
    (OPENAI, 404, "", r#"{"error":{"message":"No endpoints found that support image input"}}"#, ImagesUnsupported, No),
    (OPENAI, 400, "", r#"{"error":{"message":"Invalid content type. image_url is only supported by certain models."}}"#, ImagesUnsupported, No),
    (OPENAI, 400, "", r#"{"error":{"message":"x is not a multimodal model"}}"#, ImagesUnsupported, No),
    (GEMINI, 400, "", r#"{"error":{"message":"Image input modality is not enabled for models/x"}}"#, ImagesUnsupported, No),
    // Quoted text in a message does not classify it.
    (OPENAI, 400, "", r#"{"error":{"message":"Invalid JSON: 'my API key is invalid' is not an object"}}"#, BadRequest, No),
    (OPENAI, 400, "", r#"{"error":{"message":"messages[3]: 'Incorrect API key provided' is no text part"}}"#, BadRequest, No),
    (OPENAI, 422, "", r#"{"detail":"messages[0]: 'the api key has expired' is no text part"}"#, BadRequest, No),
    (OPENAI, 400, "", r#"{"error":{"message":"messages[3]: 'the model does not exist' is no text part"}}"#, BadRequest, No),
    (OPENAI, 400, "", r#"{"error":{"message":"Tool 'get_model' not found"}}"#, BadRequest, No),
    (OPENAI, 400, "", r#"{"error":{"message":"Incorrect API key provided: xx. You can obtain an API key from https://console.x.ai."}}"#, KeyInvalid, UntilThawed),
    (GEMINI, 400, "", r#"{"error":{"message":"Invalid value at 'contents[0]': \"API key not valid\""}}"#, BadRequest, No),
    (ANTHROPIC, 400, "", r#"{"error":{"type":"invalid_request_error","message":"messages.0: 'why is my credit balance so low?' is no block"}}"#, BadRequest, No),
    (ANTHROPIC, 400, "", r#"{"error":{"type":"invalid_request_error","message":"messages.0: 'what are usage limits?' is no block"}}"#, BadRequest, No),
    // Errors of the request.
    (OPENAI, 400, "", r#"{"error":{"message":"Invalid value for 'temperature'"}}"#, BadRequest, No),
    (OPENAI, 400, "", "no JSON", BadRequest, No),
    (OPENAI, 400, "", r#"{"error":{"code":"context_length_exceeded","message":"too long"}}"#, ContextOverflow, No),
    (OPENAI, 400, "", r#"{"error":{"message":"This model's maximum context length is 8192 tokens."}}"#, ContextOverflow, No),
    (OPENAI, 400, "", r#"{"error":{"code":"content_filter","message":"filtered"}}"#, ContentFilter, No),
    (OPENAI, 404, "", "<html>Not Found</html>", BadRequest, No),
    (OPENAI, 405, "", "", BadRequest, No),
    (OPENAI, 413, "", "", ContextOverflow, No),
    (OPENAI, 413, "5", r#"{"error":{"code":"rate_limit_exceeded","type":"tokens","message":"Request too large for model"}}"#, ContextOverflow, No),
    (OPENAI, 415, "", "", BadRequest, No),
    (OPENAI, 422, "", r#"{"error":{"message":"messages: field required"}}"#, BadRequest, No),
    (RESPONSES, 400, "", r#"{"error":{"message":"Invalid 'input'"}}"#, BadRequest, No),
    (ANTHROPIC, 400, "", r#"{"error":{"type":"invalid_request_error","message":"prompt is too long: 208310 tokens"}}"#, ContextOverflow, No),
    (ANTHROPIC, 400, "", r#"{"error":{"type":"invalid_request_error","message":"messages: text content blocks must be non-empty"}}"#, BadRequest, No),
    (ANTHROPIC, 413, "", r#"{"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#, ContextOverflow, No),
    (GEMINI, 400, "", r#"{"error":{"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."}}"#, ContextOverflow, No),
    (GEMINI, 400, "", r#"{"error":{"message":"Unable to submit request because it has a temperature value of 1000"}}"#, BadRequest, No),
];

#[test]
fn responses_map_to_kinds_and_freezes() {
    assert!(TABLE.len() >= 80);
    for (wire, status, header, body, kind, freeze) in TABLE {
        let date = "Wed, 21 Oct 2015 07:28:00 GMT";
        let asked = retry_after(|name| match name {
            "retry-after" => Some(*header),
            "date" => Some(date),
            _ => None,
        });
        let error = wire.classify(&ErrorResponse { status: *status, retry_after: asked, body: body.as_bytes() });
        let term = |term: Term| term.after(1, error.retry_after).map_or(UntilThawed, |length| For(length.as_secs()));
        let found = match Blame::for_kind(error.kind) {
            Blame::Request | Blame::Answer => No,
            Blame::Model(length) => {
                assert_eq!(length.as_secs(), 3_600);
                Model
            }
            Blame::Provider(of) => term(of),
        };
        assert_eq!((error.kind, found), (*kind, *freeze), "{} {status} {header:?} {body}", wire.name());
    }
}

#[test]
fn failures_without_a_status_freeze_too() {
    use turnkit_core::Phase;
    for (kind, seconds) in [
        (Network, 30),
        (Timeout(Phase::Connect), 30),
        (Timeout(Phase::FirstEvent), 30),
        (Timeout(Phase::Idle), 30),
        (Timeout(Phase::Total), 30),
        (Truncated, 60),
        (BadResponse, 60),
    ] {
        let Blame::Provider(term) = Blame::for_kind(kind) else { panic!("{kind:?} is the provider's fault") };
        assert_eq!(term.after(1, None).map(|length| length.as_secs()), Some(seconds), "{kind:?}");
    }
}
