//! Structures that are serialized, as they stand in the source, and their schemas.

use super::words;
use crate::root;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use syn::{Attribute, Expr, ExprLit, Fields, GenericArgument, Item, Lit, Meta, PathArguments, Type};

/// Every structure of some files that derives `Serialize`, by name.
pub struct Records(BTreeMap<String, Record>);

struct Record {
    about: String,
    fields: Vec<Field>,
}

struct Field {
    name: String,
    about: String,
    ty: Type,
    /// Whether its own fields stand in its place.
    is_flat: bool,
    /// Whether it may be left out.
    is_optional: bool,
    /// Whether it is a list that is printed as an object, by the names of its items.
    is_by_name: bool,
}

impl Records {
    pub fn read(sources: &[&str]) -> Result<Records, String> {
        let mut records = BTreeMap::new();
        for source in sources {
            let text = std::fs::read_to_string(root().join(source));
            let text = text.map_err(|error| format!("cannot read {source}: {error}"))?;
            let file = syn::parse_file(&text).map_err(|error| format!("{source}: {error}"))?;
            for item in file.items {
                let Item::Struct(item) = item else { continue };
                let (name, Fields::Named(fields)) = (item.ident.to_string(), item.fields) else { continue };
                if !derives_serialize(&item.attrs) {
                    continue;
                }
                let fields = fields.named.iter().map(Field::of).filter_map(Result::transpose);
                let fields: Result<Vec<Field>, String> = fields.collect();
                let fields = fields.map_err(|why| format!("{source}: {name}: {why}"))?;
                if records.insert(name.clone(), Record { about: doc(&item.attrs), fields }).is_some() {
                    return Err(format!("{source}: there are two structures called {name}"));
                }
            }
        }
        Ok(Records(records))
    }

    /// A schema that refers to a structure, which is defined with all that it holds.
    pub fn reference(&self, name: &str, definitions: &mut Map<String, Value>) -> Result<Value, String> {
        if !definitions.contains_key(name) {
            definitions.insert(name.to_owned(), Value::Null);
            let record = self.record(name)?;
            let (mut properties, mut required) = (Map::new(), Vec::new());
            self.add_fields(name, &mut properties, &mut required, definitions)?;
            let schema = json!({
                "type": "object",
                "description": record.about,
                "properties": properties,
                "required": required,
            });
            definitions.insert(name.to_owned(), schema);
        }
        Ok(json!({ "$ref": format!("#/$defs/{name}") }))
    }

    fn record(&self, name: &str) -> Result<&Record, String> {
        self.0.get(name).ok_or_else(|| format!("the type {name} has no schema"))
    }

    fn add_fields(
        &self,
        name: &str,
        properties: &mut Map<String, Value>,
        required: &mut Vec<String>,
        definitions: &mut Map<String, Value>,
    ) -> Result<(), String> {
        for field in &self.record(name)?.fields {
            if field.is_flat {
                self.add_fields(&type_name(&field.ty)?, properties, required, definitions)?;
                continue;
            }
            let schema = match words(name, &field.name) {
                Some(words) => json!({ "type": "string", "enum": words }),
                None if field.is_by_name => {
                    let item = self.schema(argument(&field.ty)?, definitions)?;
                    json!({ "type": "object", "additionalProperties": item })
                }
                // What is left out where there is none is not null where there is some.
                None if field.is_optional => self.schema(argument(&field.ty)?, definitions)?,
                None => self.schema(&field.ty, definitions)?,
            };
            let mut described = Map::from_iter([("description".to_owned(), json!(field.about))]);
            if let Value::Object(schema) = schema {
                described.extend(schema);
            }
            properties.insert(field.name.clone(), described.into());
            if !field.is_optional {
                required.push(field.name.clone());
            }
        }
        Ok(())
    }

    fn schema(&self, ty: &Type, definitions: &mut Map<String, Value>) -> Result<Value, String> {
        match ty {
            Type::Reference(to) => return self.schema(&to.elem, definitions),
            Type::Slice(slice) => {
                return Ok(json!({ "type": "array", "items": self.schema(&slice.elem, definitions)? }));
            }
            Type::Array(array) => {
                let Expr::Lit(ExprLit { lit: Lit::Int(length), .. }) = &array.len else {
                    return Err("an array is of a length that is no number".into());
                };
                let length: u64 = length.base10_parse().map_err(|error| error.to_string())?;
                let items = self.schema(&array.elem, definitions)?;
                return Ok(json!({ "type": "array", "items": items, "minItems": length, "maxItems": length }));
            }
            _ => {}
        }
        Ok(match type_name(ty)?.as_str() {
            "String" | "str" => json!({ "type": "string" }),
            "bool" => json!({ "type": "boolean" }),
            "f32" | "f64" => json!({ "type": "number" }),
            "u8" => json!({ "type": "integer", "minimum": 0, "maximum": 255 }),
            "u32" | "u64" | "usize" => json!({ "type": "integer", "minimum": 0 }),
            "Option" => json!({ "anyOf": [self.schema(argument(ty)?, definitions)?, { "type": "null" }] }),
            "Vec" => json!({ "type": "array", "items": self.schema(argument(ty)?, definitions)? }),
            name => self.reference(name, definitions)?,
        })
    }
}

impl Field {
    /// `None` for one that is not printed.
    fn of(field: &syn::Field) -> Result<Option<Field>, String> {
        let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
        let mut made = Field {
            name: name.trim_start_matches("r#").to_owned(),
            about: doc(&field.attrs),
            ty: field.ty.clone(),
            is_flat: false,
            is_optional: false,
            is_by_name: false,
        };
        let mut is_skipped = false;
        for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("serde")) {
            let read = attribute.parse_nested_meta(|meta| {
                let key = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
                let text = || meta.value()?.parse::<syn::LitStr>().map(|text| text.value());
                match key.as_str() {
                    "skip" => is_skipped = true,
                    "flatten" => made.is_flat = true,
                    "rename" => made.name = text()?,
                    "skip_serializing_if" if text()? == "Option::is_none" => made.is_optional = true,
                    "serialize_with" if text()? == "by_name" => made.is_by_name = true,
                    other => return Err(meta.error(format!("`{other}` of {name} has no schema"))),
                }
                Ok(())
            });
            read.map_err(|error| error.to_string())?;
        }
        Ok((!is_skipped).then_some(made))
    }
}

fn derives_serialize(attributes: &[Attribute]) -> bool {
    attributes.iter().filter(|attribute| attribute.path().is_ident("derive")).any(|attribute| {
        let mut derives = false;
        // A list of derives that cannot be read has no `Serialize` in it.
        let _ = attribute.parse_nested_meta(|meta| {
            derives |= meta.path.is_ident("Serialize");
            Ok(())
        });
        derives
    })
}

/// The documentation of something, as one paragraph, without links that only rustdoc can follow.
fn doc(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) => Some(line.value().trim().to_owned()),
            _ => None,
        },
        _ => None,
    });
    lines.collect::<Vec<_>>().join(" ").replace("[`", "`").replace("`]", "`")
}

/// The last name of a type's path.
fn type_name(ty: &Type) -> Result<String, String> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        _ => None,
    }
    .ok_or_else(|| "a field is of a type without a name".into())
}

/// The type in `Option<..>` or `Vec<..>`.
fn argument(ty: &Type) -> Result<&Type, String> {
    let segment = match ty {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    match segment.map(|segment| &segment.arguments) {
        Some(PathArguments::AngleBracketed(arguments)) => match arguments.args.first() {
            Some(GenericArgument::Type(ty)) => Ok(ty),
            _ => Err("a field is of a type without an argument".into()),
        },
        _ => Err("a field is of a type without an argument".into()),
    }
}
