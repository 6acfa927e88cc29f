//! A walk over all numbers of a value: each must be finite, and each quaternion a unit quaternion.

use serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use std::fmt;

/// How far from 1 the length of a quaternion may be.
const UNIT: f64 = 1e-3;

/// Fails where a number is not finite, or a quaternion no rotation.
pub(super) fn check(value: &impl Serialize) -> Result<(), Wrong> {
    value.serialize(&mut Numbers { squares: None })
}

/// What is wrong with a number.
#[derive(Debug)]
pub(super) struct Wrong(String);

impl fmt::Display for Wrong {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Wrong {}

impl serde::ser::Error for Wrong {
    fn custom<T: fmt::Display>(what: T) -> Self {
        Self(what.to_string())
    }
}

/// The walk. `squares` is the sum of the squares of a quaternion's numbers so far.
struct Numbers {
    squares: Option<f64>,
}

type Walked = Result<(), Wrong>;

/// Values without numbers that could be wrong.
macro_rules! nothing_to_check {
    ($($name:ident: $kind:ty),*) => {
        $(fn $name(self, _: $kind) -> Walked {
            Ok(())
        })*
    };
}

/// Values with others in them: each is walked over.
macro_rules! walk_inner {
    ($($kind:ident: $method:ident),*) => {
        $(impl $kind for &mut Numbers {
            type Ok = ();
            type Error = Wrong;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Walked {
                value.serialize(&mut **self)
            }

            fn end(self) -> Walked {
                Ok(())
            }
        })*
    };
}

/// The same, where the inner ones have names.
macro_rules! walk_fields {
    ($($kind:ident),*) => {
        $(impl $kind for &mut Numbers {
            type Ok = ();
            type Error = Wrong;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                _: &'static str,
                value: &T,
            ) -> Walked {
                value.serialize(&mut **self)
            }

            fn end(self) -> Walked {
                Ok(())
            }
        })*
    };
}

walk_inner!(SerializeSeq: serialize_element, SerializeTuple: serialize_element, SerializeTupleVariant: serialize_field);
walk_fields!(SerializeStruct, SerializeStructVariant);

impl SerializeTupleStruct for &mut Numbers {
    type Ok = ();
    type Error = Wrong;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Walked {
        value.serialize(&mut **self)
    }

    fn end(self) -> Walked {
        match self.squares.take() {
            Some(squares) if (squares.sqrt() - 1.0).abs() > UNIT => {
                Err(Wrong::custom("a rotation is no unit quaternion"))
            }
            _ => Ok(()),
        }
    }
}

impl SerializeMap for &mut Numbers {
    type Ok = ();
    type Error = Wrong;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Walked {
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Walked {
        value.serialize(&mut **self)
    }

    fn end(self) -> Walked {
        Ok(())
    }
}

impl Serializer for &mut Numbers {
    type Ok = ();
    type Error = Wrong;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    nothing_to_check!(
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_char: char,
        serialize_str: &str, serialize_bytes: &[u8], serialize_unit_struct: &'static str
    );

    fn serialize_f32(self, number: f32) -> Walked {
        self.serialize_f64(number.into())
    }

    fn serialize_f64(self, number: f64) -> Walked {
        if !number.is_finite() {
            return Err(Wrong::custom("a number is not finite"));
        }
        if let Some(squares) = &mut self.squares {
            *squares += number * number;
        }
        Ok(())
    }

    fn serialize_none(self) -> Walked {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Walked {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Walked {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Walked {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Walked {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Walked {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, Wrong> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Wrong> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, name: &'static str, _: usize) -> Result<Self, Wrong> {
        self.squares = (name == "Quat").then_some(0.0);
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Wrong> {
        Ok(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, Wrong> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Wrong> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Wrong> {
        Ok(self)
    }
}
