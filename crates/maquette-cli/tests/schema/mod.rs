//! A schema of `docs/schemas`, and whether a value follows it: as much of JSON Schema as is used there, and stricter, because a field that the schema
//! does not have is an error.

use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub struct Schema {
    root: Value,
    /// The definitions that some value has followed.
    seen: BTreeSet<String>,
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas")
}

/// Definitions that a value has followed on the way.
type Seen = Vec<String>;

impl Schema {
    pub fn of(verb: &str) -> Schema {
        let path = folder().join(format!("{verb}.schema.json"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Schema::new(serde_json::from_str(&text).unwrap())
    }

    pub fn new(root: Value) -> Schema {
        Schema { root, seen: BTreeSet::new() }
    }

    /// Fails with what is wrong with a value, and where.
    pub fn holds(&mut self, value: &Value) -> Result<(), String> {
        let seen = self.follows(&self.root, value, "")?;
        self.seen.extend(seen);
        Ok(())
    }

    /// The definitions that no value has followed yet.
    pub fn unseen(&self) -> Vec<&String> {
        let all = self.root["$defs"].as_object().unwrap().keys();
        all.filter(|name| !self.seen.contains(*name)).collect()
    }

    fn follows(&self, schema: &Value, value: &Value, at: &str) -> Result<Seen, String> {
        let schema = schema.as_object().expect("a schema is an object");
        let mut seen = Seen::new();
        for (keyword, wanted) in schema {
            let is_met = match keyword.as_str() {
                "$schema" | "$comment" | "$defs" | "title" | "description" | "required" => true,
                "$ref" => {
                    let name = wanted.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                    seen.push(name.to_owned());
                    seen.extend(self.follows(&self.root["$defs"][name], value, at)?);
                    true
                }
                "anyOf" => {
                    let tried: Vec<_> =
                        wanted.as_array().unwrap().iter().map(|one| self.follows(one, value, at)).collect();
                    match tried.iter().flatten().next() {
                        Some(found) => seen.extend(found.iter().cloned()),
                        None => {
                            return Err(tried.into_iter().filter_map(Result::err).collect::<Vec<_>>().join("; or "));
                        }
                    }
                    true
                }
                "type" => is_of_type(value, wanted.as_str().unwrap()),
                "enum" => wanted.as_array().unwrap().contains(value),
                "minimum" => value.as_f64().is_none_or(|value| value >= wanted.as_f64().unwrap()),
                "maximum" => value.as_f64().is_none_or(|value| value <= wanted.as_f64().unwrap()),
                "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= wanted.as_u64().unwrap()),
                "maxItems" => value.as_array().is_none_or(|items| items.len() as u64 <= wanted.as_u64().unwrap()),
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        seen.extend(self.follows(wanted, item, &format!("{at}[{index}]"))?);
                    }
                    true
                }
                "properties" => {
                    seen.extend(self.fields(wanted.as_object().unwrap(), schema, value, at)?);
                    true
                }
                "additionalProperties" => {
                    assert!(!schema.contains_key("properties"), "of both, only one is used");
                    for (name, member) in value.as_object().into_iter().flatten() {
                        seen.extend(self.follows(wanted, member, &format!("{at}.{name}"))?);
                    }
                    true
                }
                other => panic!("nothing looks after `{other}`"),
            };
            if !is_met {
                return Err(format!("{at}: {value} does not follow {keyword} {wanted}"));
            }
        }
        Ok(seen)
    }

    fn fields(
        &self,
        properties: &Map<String, Value>,
        schema: &Map<String, Value>,
        value: &Value,
        at: &str,
    ) -> Result<Seen, String> {
        let Some(value) = value.as_object() else { return Ok(Seen::new()) };
        for name in schema["required"].as_array().unwrap() {
            let name = name.as_str().unwrap();
            assert!(properties.contains_key(name), "{name} is required and not described");
            if !value.contains_key(name) {
                return Err(format!("{at}: {name} is missing"));
            }
        }
        let mut seen = Seen::new();
        for (name, member) in value {
            let field = properties.get(name).ok_or_else(|| format!("{at}: {name} has no schema"))?;
            assert_ne!(field["description"], "", "{name} says nothing about itself");
            seen.extend(self.follows(field, member, &format!("{at}.{name}"))?);
        }
        Ok(seen)
    }
}

fn is_of_type(value: &Value, ty: &str) -> bool {
    match ty {
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("there is no type `{other}`"),
    }
}
